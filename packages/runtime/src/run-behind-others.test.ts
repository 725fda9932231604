import { constants, getPriority } from "node:os";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";

const module = new URL("run-behind-others.ts", import.meta.url).href;
const SOURCE = `
  import { getPriority } from "node:os";
  import { parentPort } from "node:worker_threads";
  import { runBehindOthers } from "${module}";
  runBehindOthers();
  parentPort.postMessage(getPriority());`;

it.runIf(process.platform === "linux")(
  "A thread that runs behind others leaves the others their priority",
  async () => {
    const before = getPriority();
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(SOURCE)}`));
    const [its] = (await once(worker, "message")) as [number];
    expect(its).toBe(Math.max(before, constants.priority.PRIORITY_BELOW_NORMAL));
    expect(getPriority()).toBe(before);
  },
);
