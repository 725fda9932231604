import { temporaryDirectory } from "@feed/test-kit";
import { runFeedctl, startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";

const TEST_TIMEOUT_MS = 90_000;
const REFUSAL_TIMEOUT_MS = 5_000;

describe("A second service on a data directory", () => {
  it(
    "ends at once with one line that names the first, which goes on",
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await using directory = await temporaryDirectory();
      await using service = await startService({ dataDirectory: directory.path });
      const startedAtMs = performance.now();
      const second = ["up", "--no-demo", "--port", "0", "--data", directory.path];
      const { code, stderr } = await runFeedctl(second);
      expect(performance.now() - startedAtMs).toBeLessThan(REFUSAL_TIMEOUT_MS);
      expect(stderr).toBe(`feedctl: ${directory.path} is in use by process ${service.pid}\n`);
      expect(code).toBe(1);
      expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
    },
  );
});
