import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { importsOf, layerViolations, sourceFiles } from "./layers.ts";

const root = resolve(import.meta.dirname, "..");
const oxlint = join(root, "node_modules/.bin/oxlint");

/** Lints one file as if it lay at `path` in this repository; what the linter prints, empty when it is content. */
async function lintPlanted(path: string, text: string): Promise<string> {
  await using directory = await temporaryDirectory();
  mkdirSync(join(directory.path, dirname(path)), { recursive: true });
  copyFileSync(join(root, ".oxlintrc.json"), join(directory.path, ".oxlintrc.json"));
  writeFileSync(join(directory.path, path), text);
  try {
    execFileSync(process.execPath, [oxlint, "--deny-warnings"], {
      cwd: directory.path,
      stdio: "pipe",
    });
    return "";
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  }
}

describe("Dependencies only go down", () => {
  it("in every import of the packages", () => {
    expect(layerViolations(importsOf(root))).toEqual([]);
  });

  it("and a planted import upwards or sideways is found", () => {
    const planted = [
      { file: "packages/domain/src/a.ts", specifier: "@feed/event-log" },
      { file: "packages/feed/src/b.ts", specifier: "@feed/crawler" },
      { file: "packages/feed/src/c.ts", specifier: "@feed/domain/ids" },
    ];
    expect(layerViolations(planted)).toEqual([
      "packages/domain/src/a.ts imports @feed/event-log, which lies above it",
      "packages/feed/src/b.ts imports @feed/crawler, a sibling",
    ]);
  });
});

describe("The pure core", () => {
  it.each([
    [
      "an effect",
      'import { readFileSync } from "node:fs";\nexport const text = readFileSync("x");\n',
    ],
    ["a client", 'import { open } from "lmdb";\nexport const store = open({});\n'],
    ["the wall clock", "export const now = () => Date.now();\n"],
    ["randomness", "export const dice = () => Math.random();\n"],
    ["a timer", "export const later = () => setTimeout(() => undefined, 1);\n"],
  ])("is refused %s by the linter", async (_what, text) => {
    expect(await lintPlanted("packages/domain/src/planted.ts", text)).toMatch(/no-restricted/);
    expect(await lintPlanted("packages/projections/src/planted.ts", text)).toMatch(/no-restricted/);
  });
});

describe("Every source file", () => {
  it("carries no leftovers", () => {
    const leftover =
      /\b(TO\x44O|FIX\x4dE|XX\x58)\b|@ts-(ignore|expect-error|nocheck)|\bas any\b|\.(only|todo)\(/;
    const found = sourceFiles(root).filter((file) =>
      leftover.test(readFileSync(join(root, file), "utf8")),
    );
    expect(found).toEqual([]);
  });

  it("is refused beyond 300 lines by the linter", async () => {
    const long = Array.from({ length: 301 }, (_, at) => `export const value${at} = ${at};`).join(
      "\n",
    );
    expect(await lintPlanted("packages/feed/src/planted.ts", long)).toMatch(/max-lines/);
  });
});
