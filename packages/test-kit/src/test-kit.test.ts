import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildArticle, manualClock, temporaryDirectory, waitFor } from "./index.ts";

describe("test-kit", () => {
  it("has a clock that moves only when it is told", () => {
    const clock = manualClock(1_000);
    clock.advance(50);
    expect(clock.nowMs()).toBe(1_050);
    clock.set(10);
    expect(clock.nowMs()).toBe(10);
  });

  it("removes a temporary directory and what is in it", async () => {
    let path = "";
    {
      await using directory = await temporaryDirectory();
      ({ path } = directory);
      await writeFile(join(path, "file"), "content");
      expect(existsSync(path)).toBe(true);
    }
    expect(existsSync(path)).toBe(false);
  });

  it("waits for a condition and names the one that never holds", async () => {
    let asked = 0;
    await waitFor(() => (asked += 1) > 2);
    expect(asked).toBe(3);
    await expect(waitFor(() => asked === -1, { timeoutMs: 0 })).rejects.toThrow("asked === -1");
  });

  it("builds values of which every part can be given", () => {
    expect(buildArticle({ title: "Mine" })).toMatchObject({ title: "Mine", language: "en" });
  });
});
