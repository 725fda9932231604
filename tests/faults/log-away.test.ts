import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";
import { clientOf } from "./client.ts";
import { makeInstallation } from "./installation.ts";
import { canMountTinyDisk, TINY_DISK } from "@feed/test-kit/tiny-disk";

const TEST_TIMEOUT_MS = 400_000;
const ARTICLES = 100;
const DISK_MB = 192;
/** The log takes nothing more, and all else finds room. */
const LEFT_BYTES = 32 * 1024 * 1024;
const USER = "patient-reader";

describe("While the disk is full and the log can't be written", () => {
  it.skipIf(!canMountTinyDisk())(
    "feeds are served free, events are refused with 503, and both recover with it",
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await using installation = await makeInstallation(ARTICLES);
      await using disk = await temporaryDirectory();
      const script = `mount -t tmpfs -o size=${DISK_MB}m none "${disk.path}" && cp -a "${installation.dataDirectory}/." "${disk.path}/" && exec "$0" "$@"`;
      const prefix = [...TINY_DISK, script];
      await using service = await startService({ dataDirectory: disk.path, prefix });
      const client = clientOf(service.baseUrl, installation.apiKey);
      await client.untilArticles();
      const event = { type: "session_start", user_id: USER, session_id: "s", event_id: "e" };

      const seenFromHere = join(`/proc/${service.pid}/root`, disk.path);
      const filler = join(seenFromHere, "filler");
      const { bavail, bsize } = await statfs(seenFromHere);
      await writeFile(filler, Buffer.alloc(bavail * bsize - LEFT_BYTES));
      const free = await client.feed(USER);
      expect(free.status).toBe(200);
      expect(Number(free.headers.get("X-Credits-Used") ?? "absent")).toBe(0);
      expect(await free.json()).toMatchObject({ data: [{ id: expect.any(String) }] });
      const refused = await client.postEvents([event]);
      expect(refused.status).toBe(503);
      expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
      expect(refused.headers.get("Content-Type")).toContain("application/problem+json");

      await rm(filler);
      const charged = await client.feed(USER);
      expect(Number(charged.headers.get("X-Credits-Used"))).toBe(1);
      expect((await client.postEvents([event])).status).toBe(202);
    },
  );
});
