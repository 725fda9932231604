import { describe, expect, it } from "vitest";
import { RoleFailed, startRole } from "./role-worker.ts";

/** A role of a few words, which is started like the others. */
function roleOf(body: string): URL {
  const source = `import { parentPort as port } from "node:worker_threads";\n${body}`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** Fails when `fuse` is lit: by itself it might do so before this thread has looked at "ready". */
const RUNNING_THEN_FAILING = `
  import { workerData } from "node:worker_threads";
  port.postMessage("ready");
  Atomics.wait(workerData.fuse, 0, 0);
  throw new Error("the disk burns");`;

describe("A role in a thread of its own", () => {
  it("that fails is named with its reason in one line, and can be closed after it has ended", async () => {
    const fuse = new Int32Array(new SharedArrayBuffer(4));
    const data: object = { fuse };
    const role = await startRole("crawler", roleOf(RUNNING_THEN_FAILING), data);
    Atomics.store(fuse, 0, 1);
    Atomics.notify(fuse, 0);
    const failure: unknown = await role.failed.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RoleFailed);
    expect(String(failure)).toMatch(
      /^RoleFailed: crawler failed: Error: the disk burns at [^\n]+$/,
    );
    await role[Symbol.asyncDispose]();
    await role[Symbol.asyncDispose]();
  });

  it("that ends by itself has failed", async () => {
    const role = await startRole("crawler", roleOf(`port.postMessage("ready");`), {});
    await expect(role.failed).rejects.toThrow("crawler failed: it ended with code 0");
    await role[Symbol.asyncDispose]();
  });

  it("that can't start says why", async () => {
    const refused = `throw Object.assign(new Error("no room in /data"), { name: "LogUnavailable" });`;
    const starting = startRole("crawler", roleOf(refused), {});
    await expect(starting).rejects.toThrow(/^crawler failed: no room in \/data$/);
  });

  it("that was told to stop has not failed", async () => {
    const obedient = `port.once("message", () => port.close()); port.postMessage("ready");`;
    const role = await startRole("crawler", roleOf(obedient), {});
    let failed = false;
    role.failed.catch(() => (failed = true));
    await role[Symbol.asyncDispose]();
    expect(failed).toBe(false);
  });
});
