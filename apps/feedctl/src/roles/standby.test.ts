import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { standby } from "./standby.ts";

/** Roles of a group, which note when they begin and end. */
function group(eventLog: Parameters<typeof standby>[0]) {
  const active: string[] = [];
  const join = (name: string, failed: Promise<unknown> = new Promise(() => undefined)) =>
    standby(eventLog, "crawler", async () => {
      active.push(name);
      return {
        failed,
        [Symbol.asyncDispose]: async () => void active.splice(active.indexOf(name), 1),
      };
    });
  return { active, join };
}

describe("A role that stands by", () => {
  it("works in one process at a time, and in the next when that ends", async () => {
    await using directory = await temporaryDirectory();
    await using eventLog = await openEmbeddedEventLog({ directory: directory.path });
    const { active, join } = group(eventLog);
    const first = await join("first");
    await waitFor(() => active.length === 1);
    await using _second = await join("second");
    await using _third = await join("third");
    await waitFor(() => active.length === 1);
    const [before] = active;
    await first[Symbol.asyncDispose]();
    await waitFor(() => active.length === 1 && active[0] !== "first");
    expect(["first", "second", "third"]).toContain(before);
  });

  it("fails with what its work failed with", async () => {
    await using directory = await temporaryDirectory();
    await using eventLog = await openEmbeddedEventLog({ directory: directory.path });
    const broken = new Error("the work's own");
    const { active, join } = group(eventLog);
    const work = Promise.withResolvers<never>();
    await using role = await join("only", work.promise);
    await waitFor(() => active.length === 1);
    work.reject(broken);
    await expect(role.failed).rejects.toBe(broken);
  });
});
