import { execFileSync } from "node:child_process";
import { startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";
import { clientOf } from "./client.ts";
import { makeInstallation } from "./installation.ts";

const TEST_TIMEOUT_MS = 60_000;
/** Enough that the log is larger than the room below, which all that the read models write fits in. */
const ARTICLES = 400;
const ROOM_BYTES = 1024 * 1024;
const USER = "patient-reader";

/** From now on no file of the process can be written beyond so many bytes, as on a disk that is full. */
function limitFiles(pid: number, bytes: number | "unlimited"): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);
}

describe("While the log can't be written", () => {
  it(
    "feeds are served free, events are refused with 503, and both recover with it",
    async () => {
      await using installation = await makeInstallation(ARTICLES);
      await using service = await startService(installation);
      const client = clientOf(service.baseUrl, installation.apiKey);
      await client.untilArticles();
      const event = { type: "session_start", user_id: USER, session_id: "s", event_id: "e" };

      limitFiles(service.pid, ROOM_BYTES);
      const free = await client.feed(USER);
      expect(free.status).toBe(200);
      expect(Number(free.headers.get("X-Credits-Used") ?? "absent")).toBe(0);
      expect(await free.json()).toMatchObject({ data: [{ id: expect.any(String) }] });
      const refused = await client.postEvents([event]);
      expect(refused.status).toBe(503);
      expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
      expect(refused.headers.get("Content-Type")).toContain("application/problem+json");

      limitFiles(service.pid, "unlimited");
      const charged = await client.feed(USER);
      expect(Number(charged.headers.get("X-Credits-Used"))).toBe(1);
      expect((await client.postEvents([event])).status).toBe(202);
    },
    TEST_TIMEOUT_MS,
  );
});
