import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { runFeedctl } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";
import { canMountTinyDisk, TINY_DISK } from "@feed/test-kit/tiny-disk";

/** For root nothing is unwritable by its mode, but not even root can make a directory here. */
const READ_ONLY_PLACE = "/sys/content-feed";
/** Enough for any start, and too little for a log. */
const FILE_BYTES = 64 * 1024 * 1024;
const TEST_TIMEOUT_MS = 180_000;

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

  it.skipIf(!canMountTinyDisk())(
    "when the disk is full",
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await using directory = await temporaryDirectory();
      const script = `mount -t tmpfs -o size=1m none "${directory.path}" && exec "$0" "$@"`;
      const line = await oneLineOf(directory.path, { prefix: [...TINY_DISK, script] });
      expect(line).toBe(`feedctl: ${directory.path}: no space left on device\n`);
    },
  );

  it("when no file of the process may grow", { timeout: TEST_TIMEOUT_MS }, async () => {
    await using directory = await temporaryDirectory();
    const prefix = ["prlimit", `--fsize=${FILE_BYTES}:unlimited`];
    const line = await oneLineOf(directory.path, { prefix });
    expect(line).toContain(`${directory.path}: no file may grow beyond ${FILE_BYTES} bytes here`);
  });
});
