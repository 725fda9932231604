import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { runFeedctl } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";

/** For root nothing is unwritable by its mode, but not even root can make a directory here. */
const READ_ONLY_PLACE = "/sys/content-feed";
/** No file may grow beyond this many bytes: as on a full disk, every write that needs room fails. */
const ROOM_BYTES = 128 * 1024;
const TEST_TIMEOUT_MS = 60_000;

async function oneLineOf(
  dataDirectory: string,
  options: Parameters<typeof runFeedctl>[1] = {},
): Promise<string> {
  const up = ["up", "--no-demo", "--port", "0", "--data", dataDirectory];
  const { code, stderr } = await runFeedctl(up, options);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  return stderr;
}

describe("A data directory that can't be used is one clear line and exit code 1", () => {
  it("when it is a file", { timeout: TEST_TIMEOUT_MS }, async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "file");
    await writeFile(file, "");
    expect(await oneLineOf(file)).toContain(file);
  });

  it("when it can't be made", { timeout: TEST_TIMEOUT_MS }, async () => {
    expect(await oneLineOf(READ_ONLY_PLACE)).toContain(READ_ONLY_PLACE);
  });

  it("when the disk is full", { timeout: TEST_TIMEOUT_MS }, async () => {
    await using directory = await temporaryDirectory();
    const prefix = ["prlimit", `--fsize=${ROOM_BYTES}`];
    expect(await oneLineOf(directory.path, { prefix })).toContain(directory.path);
  });
});
