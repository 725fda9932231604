import { runProjector } from "../projector.ts";
import { clock, codec, log, openInstallation } from "./installation.ts";

/** Projects the installation in the directory given and kills itself before or after it destroys the first key. */
const [, , directory = "", moment = ""] = process.argv;
const installation = await openInstallation(directory);
const { eventLog } = installation;
const append = eventLog.append.bind(eventLog);
eventLog.append = async (records) => {
  const destroys = records.some(({ topic, value }) => topic === "user-keys" && value === null);
  if (destroys && moment === "before") process.kill(process.pid, "SIGKILL");
  const positions = await append(records);
  if (destroys && moment === "after") process.kill(process.pid, "SIGKILL");
  return positions;
};
const projector = await runProjector({ ...installation, codec, clock, log });
await projector.failed;
