import { writeFile } from "node:fs/promises";
import { temporaryDirectory } from "@feed/test-kit";
import { startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";

const TEST_TIMEOUT_MS = 90_000;
/** What the process may take from the failure to its end. */
const END_TIMEOUT_MS = 5_000;
const FAILING_ROLE = "activity";

/** Runs first in every thread: the role throws once the test has seen it run and made a file. */
const preloaded = `
  import { workerData } from "node:worker_threads";
  import { existsSync } from "node:fs";
  if (workerData?.keeps === "${FAILING_ROLE}")
    setInterval(() => { if (existsSync(process.env.FAIL_WHEN)) throw new Error("the disk burns"); }, 20);`;

describe("A role that fails", () => {
  it(
    "ends the whole service with one line and code 1 within 5 seconds",
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await using directory = await temporaryDirectory();
      const trigger = `${directory.path}/fail`;
      await using service = await startService({
        dataDirectory: `${directory.path}/data`,
        nodeFlags: ["--import", `data:text/javascript,${encodeURIComponent(preloaded)}`],
        environment: { FAIL_WHEN: trigger },
      });
      await writeFile(trigger, "");
      const failedAtMs = performance.now();
      const { code, stderr } = await service.ended();
      expect(performance.now() - failedAtMs).toBeLessThan(END_TIMEOUT_MS);
      expect(code).toBe(1);
      expect(stderr.trimEnd().split("\n")).toEqual([
        expect.stringMatching(/^feedctl: projector-activity failed: Error: the disk burns at /),
      ]);
    },
  );
});
