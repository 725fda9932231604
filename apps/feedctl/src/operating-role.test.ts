import { join } from "node:path";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import type { ProjectionName } from "@feed/projector";
import { temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimReadModels } from "./operating-role.ts";
import { lockDataDirectory } from "./up/data-lock.ts";

const stack = new AsyncDisposableStack();
let dataDirectory: string;
let core: Parameters<typeof claimReadModels>[1];
beforeAll(async () => {
  ({ path: dataDirectory } = stack.use(await temporaryDirectory()));
  // On a clock that stands: no membership ends by it, however long this process is kept from running.
  const options = { directory: join(dataDirectory, "log"), clock: () => 0 };
  const eventLog = stack.use(await openEmbeddedEventLog(options));
  core = { eventLog, codec: createFactCodec(openBundledRegistry()) };
});
afterAll(() => stack.disposeAsync());

async function claim(projection: ProjectionName, readState?: string): Promise<void> {
  const engines = readState === undefined ? {} : { readState };
  const installation = { dataDirectory, embedder: "hashed:256", engines };
  using _claim = await claimReadModels(installation, core, [projection]);
}

describe("what a command writes", () => {
  it("is the service's while it runs, but for rows of the activity store", async () => {
    {
      using _running = lockDataDirectory(dataDirectory);
      await expect(claim("read-state.users")).rejects.toThrow("stop the service first");
      await expect(claim("content-index")).rejects.toThrow("stop the service first");
      await claim("activity-store.users");
    }
    await claim("read-state.users");
  });

  it("is the projectors' while one keeps a read state outside", async () => {
    const outside = "redis://localhost:6379";
    const topics = ["users"] as const;
    const idle = { recordsMax: 1, lingerMs: 0, onBatches: async () => {} };
    {
      const group = "projector.read-state.users";
      await using _projector = await core.eventLog.consume({ group, topics, ...idle });
      await expect(claim("read-state.users", outside)).rejects.toThrow(
        "a projector keeps read-state.users",
      );
      await claim("read-state.credits", outside);
    }
    await claim("read-state.users", outside);
  });
});
