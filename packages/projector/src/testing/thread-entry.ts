import { parentPort, workerData } from "node:worker_threads";
import { serveProjectorThread } from "../serve-thread.ts";
import { clock, codec, log, openInstallation } from "./installation.ts";

if (parentPort === null) throw new Error("this file is the entry of a worker thread");
const { directory } = workerData as { readonly directory: string };
await serveProjectorThread(parentPort, async () => {
  const installation = await openInstallation(directory);
  const { eventLog, personalData, readState } = installation;
  return {
    options: { eventLog, personalData, readState, codec, clock, log },
    [Symbol.asyncDispose]: () => installation[Symbol.asyncDispose](),
  };
});
