import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { INSTALLATION_SETTINGS } from "@feed/feedctl/settings";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

interface Page {
  /** Path below the repository. */
  readonly file: string;
  readonly text: string;
}

interface Manifest {
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const readme = page("README.md");
const pages = [
  readme,
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => page(join("docs", name))),
  ...["packages", "apps"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((folder) => existsSync(join(root, folder, "README.md")))
    .map((folder) => page(join(folder, "README.md"))),
];
const rootManifest = manifest(".");
const workspaces = ["packages", "apps"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => existsSync(join(root, folder, name, "package.json")))
    .map((name) => manifest(join(folder, name))),
);

function page(file: string): Page {
  return { file, text: readFileSync(join(root, file), "utf8") };
}

function manifest(folder: string): Manifest {
  const text = readFileSync(join(root, folder, "package.json"), "utf8");
  return { ...(JSON.parse(text) as Manifest), folder };
}

/** Links to other pages or files that lead nowhere. */
function brokenLinks({ file, text }: Page): string[] {
  const targets = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets
    .filter((target = "") => !/^[a-z]+:/.test(target))
    .filter((target = "") => {
      const [path = "", anchor] = target.split("#");
      const linked = path === "" ? file : join(dirname(file), path);
      if (!existsSync(join(root, linked))) return true;
      return anchor !== undefined && !anchorsOf(page(linked).text).has(anchor);
    })
    .map((target) => `${file}: ${target}`);
}

/** Headings as they are linked to: lower case, without punctuation, spaces as hyphens. */
function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Files and folders of the repository that a page names and that are not there. */
function missingPaths({ file, text }: Page): string[] {
  const named = text.match(/\b(?:packages|apps|schemas|tests|infra|bench)\/[\w./@-]*[\w@]/g) ?? [];
  return named.filter((path) => !existsSync(join(root, path))).map((path) => `${file}: ${path}`);
}

/** `make` targets and npm scripts in the shell blocks of a page that the repository doesn't have. */
function unknownCommands({ file, text }: Page, targets: ReadonlySet<string>): string[] {
  const shell = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join("");
  const unknown: string[] = [];
  for (const [, target = ""] of shell.matchAll(/(?:^|\s|\()make ([a-z-]+)/gm)) {
    if (!targets.has(target)) unknown.push(`${file}: make ${target}`);
  }
  for (const [, script = ""] of shell.matchAll(/\bnpm (?:run (?:--?\w+ )*)?([a-z:-]+)/g)) {
    const isBuiltIn = ["ci", "install"].includes(script);
    if (!isBuiltIn && rootManifest.scripts?.[script] === undefined)
      unknown.push(`${file}: npm ${script}`);
  }
  return unknown;
}

/** Name and comment of every column in the activity store's schemas. */
function schemaColumns(): readonly (readonly [name: string, comment: string])[] {
  const folder = join(root, "schemas/clickhouse");
  const sql = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return [
    ...sql
      .join("\n")
      .matchAll(/^ {4}(?:ADD COLUMN IF NOT EXISTS )?(\w+) .*COMMENT '((?:[^']|'')*)'/gm),
  ].map(([, name = "", comment = ""]) => [name, comment.replaceAll("''", "'")]);
}

/** Rows of every table of a page, each as its cells. */
function tableRows(text: string): readonly (readonly string[])[] {
  return (text.match(/^\|.*\|$/gm) ?? []).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

describe("The documentation", () => {
  it.each(pages.map((each) => [each.file, each] as const))(
    "of %s has no broken link",
    (_, each) => {
      expect(brokenLinks(each)).toEqual([]);
    },
  );

  it.each(pages.map((each) => [each.file, each] as const))(
    "of %s names files that exist",
    (_, each) => {
      expect(missingPaths(each)).toEqual([]);
    },
  );

  it("names make targets and npm scripts that exist", () => {
    const makefile = readFileSync(join(root, "Makefile"), "utf8");
    const targets = new Set([...makefile.matchAll(/^([a-z-]+):/gm)].map(([, name = ""]) => name));
    expect(pages.flatMap((each) => unknownCommands(each, targets))).toEqual([]);
  });

  it("lists every decision in its table of contents", () => {
    const listed = page("docs/decisions/README.md").text;
    const decisions = readdirSync(join(root, "docs/decisions")).filter((name) => /^\d/.test(name));
    expect(decisions.filter((name) => !listed.includes(`](${name})`))).toEqual([]);
  });

  it.each([
    ["a link to a page that is not there", "[x](docs/nowhere.md)"],
    ["a link to a heading that is not there", "[x](#nowhere-at-all)"],
    ["a file that is not there", "see `packages/domain/src/nowhere.ts`"],
    ["a make target that is not there", "```sh\nmake nowhere\n```"],
    ["an npm script that is not there", "```sh\nnpm run nowhere\n```"],
  ])("would be caught with %s", (_, text) => {
    const planted = { file: "README.md", text };
    expect([
      ...brokenLinks(planted),
      ...missingPaths(planted),
      ...unknownCommands(planted, new Set(["run"])),
    ]).toHaveLength(1);
  });
});

describe("README.md", () => {
  it("documents every environment variable of the settings", () => {
    const documented = new Set(tableRows(readme.text).map(([cell]) => cell));
    const variables = Object.values(INSTALLATION_SETTINGS).map(({ variable }) => variable);
    expect(variables.filter((variable) => !documented.has(`\`${variable}\``))).toEqual([]);
  });

  it("has every package in its map, with the package's own description", () => {
    const rows = tableRows(readme.text).map(([name, description]) => `${name} ${description}`);
    const expected = workspaces.map(
      ({ folder, description }) => `[\`${folder}\`](${folder}) ${description}`,
    );
    expect(expected.filter((row) => !rows.includes(row))).toEqual([]);
  });

  it("has every direct dependency in its table, in the version that is used, and no other", () => {
    const optional = manifest("packages/embedder/onnx-runtime");
    const used = [rootManifest, optional, ...workspaces].flatMap(
      ({ dependencies = {}, devDependencies = {} }) =>
        Object.entries({ ...dependencies, ...devDependencies })
          .filter(([name]) => !name.startsWith("@feed/"))
          .map(([name, version]) => `${name} ${version}`),
    );
    const listed = tableRows(readme.text)
      .filter(([, version]) => /^\d+\.\d+\.\d+$/.test(version ?? ""))
      .map(([name, version]) => `${name?.replaceAll("`", "")} ${version}`);
    expect(listed.toSorted()).toEqual([...new Set(used)].toSorted());
  });
});

describe("docs/data/README.md", () => {
  it("says of every column what the schema says", () => {
    const rows = tableRows(page("docs/data/README.md").text);
    const documented = new Set(rows.map(([name, , meaning]) => `${name} ${meaning}`));
    const columns = schemaColumns().map(([name, comment]) => `\`${name}\` ${comment}`);
    expect(columns.length).toBeGreaterThan(0);
    expect(columns.filter((column) => !documented.has(column))).toEqual([]);
  });
});
