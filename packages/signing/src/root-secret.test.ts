import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { loadRootSecret, RootSecretUnusable } from "./root-secret.ts";

describe("the root secret", () => {
  it("is made at the first start, readable by its owner alone, and stays", async () => {
    await using directory = await temporaryDirectory();
    const data = join(directory.path, "data");
    const first = await loadRootSecret({ directory: data });
    expect(first).toHaveLength(32);
    expect(await loadRootSecret({ directory: data })).toEqual(first);
    const file = await stat(join(data, "root.key"));
    expect(file.mode & 0o777).toBe(0o600);
  });

  it("is one for all processes that start together, and no draft is left", async () => {
    await using directory = await temporaryDirectory();
    const starts = Array.from({ length: 20 }, () => loadRootSecret({ directory: directory.path }));
    const secrets = new Set(
      (await Promise.all(starts)).map((root) => Buffer.from(root).toString("hex")),
    );
    expect(secrets.size).toBe(1);
    expect(await readdir(directory.path)).toEqual(["root.key"]);
  });

  it("is the configured one where there is one, and then no file is made", async () => {
    await using directory = await temporaryDirectory();
    const configured = Buffer.alloc(32, 9).toString("base64");
    expect(await loadRootSecret({ directory: directory.path, configured })).toEqual(
      Buffer.alloc(32, 9),
    );
    expect(await readdir(directory.path)).toEqual([]);
  });

  it("is refused when it has another length, with one line that does not tell it", async () => {
    await using directory = await temporaryDirectory();
    await writeFile(join(directory.path, "root.key"), "short");
    const fromFile = loadRootSecret({ directory: directory.path });
    await expect(fromFile).rejects.toThrow(RootSecretUnusable);
    await expect(fromFile).rejects.toThrow(/root\.key has 5 bytes, not 32$/);
    const fromConfig = loadRootSecret({ directory: directory.path, configured: "c2hvcnQ=" });
    await expect(fromConfig).rejects.toThrow("the configured root secret has 5 bytes, not 32");
  });
});
