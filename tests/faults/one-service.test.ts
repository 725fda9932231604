import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { runFeedctl, startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";
import { msOf } from "../took.ts";

const TEST_TIMEOUT_MS = 400_000;
/** What a start that is refused may take beyond what one takes that is refused for another reason. */
const REFUSED_TIMEOUT_MS = 5_000;
/** What the process may take from a role's failure to its end (docs/architecture.md). */
const END_TIMEOUT_MS = 5_000;
const TICK_MS = 20;
const FAILING_ROLE = "activity";
const STUCK_ROLE = "serving";

/** Runs first in every thread: the role throws once the test has seen it run and made a file. */
const FAILING = `
  import { isMainThread, workerData } from "node:worker_threads";
  import { appendFileSync, existsSync, writeFileSync } from "node:fs";
  const { FAIL_WHEN, FAILED, TICKS } = process.env;
  if (workerData?.keeps === "${FAILING_ROLE}")
    setInterval(() => {
      if (!existsSync(FAIL_WHEN)) return;
      writeFileSync(FAILED, "");
      throw new Error("the disk burns");
    }, ${TICK_MS});`;

/** Nothing is given up on when the role has failed: on a busy machine the others may take long to close. */
const PATIENT = `${FAILING}
  const { setTimeout: within } = globalThis;
  const longer = (ms) => (existsSync(FAIL_WHEN) && ms >= 1_000 ? 100 * ms : ms);
  if (isMainThread)
    globalThis.setTimeout = (work, ms, ...given) => within(work, longer(ms), ...given);`;

/**
 * Another role never closes. Meanwhile the main thread counts its ticks, by which time is told here: a process that is not
 * let run has none, and on an idle machine they come when they should.
 */
const STUCK = `${FAILING}
  const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (workerData?.keeps === "${STUCK_ROLE}")
    setInterval(() => existsSync(FAIL_WHEN) && wait(), ${TICK_MS});
  if (isMainThread)
    setInterval(() => existsSync(FAILED) && appendFileSync(TICKS, "."), ${TICK_MS}).unref();`;

async function startWith(preloaded: string) {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await temporaryDirectory());
  const file = (name: string) => join(directory.path, name);
  const dataDirectory = file("data");
  const service = stack.use(
    await startService({
      dataDirectory,
      nodeFlags: ["--import", `data:text/javascript,${encodeURIComponent(preloaded)}`],
      environment: {
        FAIL_WHEN: file("fail"),
        FAILED: file("failed"),
        TICKS: file("ticks"),
        // What a busy machine makes a role remark on is no part of what is said of the failure.
        LOG_LEVEL: "error",
      },
    }),
  );
  const owned = stack.move();
  return {
    service,
    dataDirectory,
    ticks: async () => (await stat(file("ticks"))).size,
    /** Makes the role fail; resolves when the process has ended, with the lines it has written since. */
    async fail() {
      const saidBefore = service.stderr().length;
      await writeFile(file("fail"), "");
      const { code, signal, stderr } = await service.ended();
      return { code, signal, said: stderr.slice(saidBefore).trimEnd().split("\n") };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const THE_FAILURE = expect.stringMatching(
  /^feedctl: projector-activity failed: Error: the disk burns at /,
);

describe("A running service", { timeout: TEST_TIMEOUT_MS }, () => {
  it("goes on when a second one is started on its directory, which ends at once with one line that names it", async () => {
    await using running = await startWith(FAILING);
    const { service, dataDirectory } = running;
    const up = (data: string) => runFeedctl(["up", "--no-demo", "--port", "0", "--data", data]);
    const second = up(dataDirectory);
    // A process that does the same up to the lock: as long as that takes here and now, this may.
    const beside = up(join(dataDirectory, "up.lock"));
    const [tookMs, besideMs] = await Promise.all([msOf(second), msOf(beside)]);
    expect(tookMs).toBeLessThan(REFUSED_TIMEOUT_MS + 2 * besideMs);
    const { code, stderr } = await second;
    expect(stderr).toBe(`feedctl: ${dataDirectory} is in use by process ${service.pid}\n`);
    expect(code).toBe(1);
    // Parts that take longer than a second to answer are not ready at that moment.
    await waitFor(async () => (await fetch(`${service.baseUrl}/readyz`)).ok);
  });

  it("ends as a whole, with one line and code 1, when one of its roles fails", async () => {
    await using running = await startWith(PATIENT);
    expect(await running.fail()).toEqual({ code: 1, signal: null, said: [THE_FAILURE] });
  });

  it("ends within 5 seconds, with that line and by a signal, when another role can't be closed then", async () => {
    await using running = await startWith(STUCK);
    expect(await running.fail()).toEqual({ code: null, signal: "SIGKILL", said: [THE_FAILURE] });
    expect((await running.ticks()) * TICK_MS).toBeLessThan(END_TIMEOUT_MS);
  });
});
