import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { runFeedctl, startService, type ServiceProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** One service for both sentences; the last ends it. */
const TEST_TIMEOUT_MS = 120_000;
/**
 * What the process may take from a role's failure to its end, and a second one until it gives up; on a busy machine longer
 * by what a process takes there at the same time that has next to nothing to do.
 */
const END_TIMEOUT_MS = 5_000;
const FAILING_ROLE = "activity";

/** Runs first in every thread: the role throws once the test has seen it run and made a file. */
const preloaded = `
  import { workerData } from "node:worker_threads";
  import { existsSync } from "node:fs";
  if (workerData?.keeps === "${FAILING_ROLE}")
    setInterval(() => { if (existsSync(process.env.FAIL_WHEN)) throw new Error("the disk burns"); }, 20);`;

const stack = new AsyncDisposableStack();
let dataDirectory: string;
let service: ServiceProcess;
let trigger: string;

beforeAll(async () => {
  const directory = stack.use(await temporaryDirectory());
  dataDirectory = join(directory.path, "data");
  trigger = join(directory.path, "fail");
  service = stack.use(
    await startService({
      dataDirectory,
      nodeFlags: ["--import", `data:text/javascript,${encodeURIComponent(preloaded)}`],
      environment: { FAIL_WHEN: trigger },
    }),
  );
}, TEST_TIMEOUT_MS);
afterAll(() => stack.disposeAsync());

async function msOf(work: Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work;
  return performance.now() - startedAtMs;
}

describe("A running service", { timeout: TEST_TIMEOUT_MS }, () => {
  it("goes on when a second one is started on its directory, which ends at once with one line that names it", async () => {
    const up = ["up", "--no-demo", "--port", "0", "--data", dataDirectory];
    const second = runFeedctl(up);
    const [tookMs, besideMs] = await Promise.all([msOf(second), msOf(runFeedctl(["--help"]))]);
    expect(tookMs).toBeLessThan(END_TIMEOUT_MS + besideMs);
    const { code, stderr } = await second;
    expect(stderr).toBe(`feedctl: ${dataDirectory} is in use by process ${service.pid}\n`);
    expect(code).toBe(1);
    expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
  });

  it("ends as a whole within 5 seconds, with one line and code 1, when one of its roles fails", async () => {
    const saidBefore = service.stderr();
    await writeFile(trigger, "");
    const ended = service.ended();
    const [tookMs, besideMs] = await Promise.all([msOf(ended), msOf(runFeedctl(["--help"]))]);
    expect(tookMs).toBeLessThan(END_TIMEOUT_MS + besideMs);
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr.slice(saidBefore.length).trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^feedctl: projector-activity failed: Error: the disk burns at /),
    ]);
  });
});
