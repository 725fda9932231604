import { join } from "node:path";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { createLogger } from "@feed/runtime";
import { openKeyring } from "@feed/signing";
import { manualClock, temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { RESULT_MEDIA_TYPE, resultKey } from "./objects.ts";
import { sweepResults } from "./result-sweep.ts";

const DAY_MS = 24 * 3_600_000;
const COMPLETED_MS = Date.UTC(2026, 10, 1, 23);

describe("Results of push jobs (decisions, Push jobs)", () => {
  it("are kept for 7 days and then removed, and nothing else is", async () => {
    await using directory = await temporaryDirectory();
    const clock = manualClock(COMPLETED_MS);
    const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
    const log = createLogger({ service: "test", level: "silent" });
    await using objectStore = await openEmbeddedObjectStore({
      directory: join(directory.path, "objects"),
      keyring,
      clock,
      baseUrl: () => "https://feed.example",
    });
    const old = resultKey("job-1", COMPLETED_MS);
    const recent = resultKey("job-2", COMPLETED_MS + 5 * DAY_MS);
    for (const key of [old, recent, "pictures/2026-11-01/a"]) {
      await objectStore.put(key, Buffer.from("{}\n"), RESULT_MEDIA_TYPE);
    }
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of objectStore.list("")) found.push(key);
      return found;
    };
    clock.advance(7 * DAY_MS);
    await sweepResults({ objectStore, clock, log });
    expect(await keys()).toHaveLength(3);
    clock.advance(2 * DAY_MS);
    await sweepResults({ objectStore, clock, log });
    expect(await keys()).toEqual(["pictures/2026-11-01/a", recent]);
  });
});
