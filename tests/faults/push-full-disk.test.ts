import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { waitFor } from "@feed/test-kit";
import { startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";
import { clientOf } from "./client.ts";
import { makeInstallation } from "./installation.ts";
import { pushClientOf, userIds } from "./push-client.ts";
import { canMountTinyDisk, TINY_DISK } from "@feed/test-kit/tiny-disk";

const USERS = 300;
const ARTICLES = 100;
const FULL_MS = 1_500;
const TEST_TIMEOUT_MS = 400_000;
const JOB_TIMEOUT_MS = 120_000;

describe("A push job while the disk of the object store is full", () => {
  it.skipIf(!canMountTinyDisk())(
    "waits, and completes whole once there is room",
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await using installation = await makeInstallation(ARTICLES);
      const objects = join(installation.dataDirectory, "object-store");
      const filler = join(objects, "filler");
      await mkdir(objects);
      const script = `mount -t tmpfs -o size=8m none "${objects}" && dd if=/dev/zero of="${filler}" bs=64k 2>/dev/null; exec "$0" "$@"`;
      await using service = await startService({ ...installation, prefix: [...TINY_DISK, script] });
      const push = await pushClientOf(service.baseUrl, installation);
      await clientOf(service.baseUrl, installation.apiKey).untilArticles();
      await push.saveScenario();
      await push.createUsers(USERS);
      const jobId = await push.post("job", 3);
      const isProcessed = async () => (await push.job(jobId)).status === "processing";
      await waitFor(isProcessed, { timeoutMs: JOB_TIMEOUT_MS });
      await delay(FULL_MS);
      expect(await push.job(jobId)).toMatchObject({ status: "processing", progress: 0 });
      const seenByService = join(`/proc/${service.pid}/root`, filler);
      expect((await stat(seenByService)).size).toBeGreaterThan(7_000_000);
      await rm(seenByService);
      const job = await push.completed(jobId, JOB_TIMEOUT_MS);
      expect(job).toMatchObject({ target_user_count: USERS, consumed_credits: USERS / 2 });
      const lines = await push.lines(job);
      expect(lines.map(({ user_id }) => user_id).toSorted()).toEqual(userIds(USERS));
    },
  );
});
