import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";

/** The repository, whose `docs` folder is served. */
const ROOT = join(import.meta.dirname, "../../../..");
const DOCS = "docs";
/** Pages that lie elsewhere, by their path below the repository. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["README.md", "/docs/readme"],
  ["packages/client/README.md", "/docs/typescript-client"],
]);
/** What is served beside the pages, by the end of its name. */
const ASSET_TYPES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".svg", "image/svg+xml"],
  [".py", "text/plain; charset=utf-8"],
]);

/** A page as it lies in the repository. */
export interface SourcePage {
  /** Path below the repository, with slashes. */
  readonly file: string;
  /** Path of the address. */
  readonly address: string;
  /** Its first heading. */
  readonly title: string;
  readonly markdown: string;
}

/** Files of the documentation, as they were when they were read. */
export interface SiteFiles {
  /** By path below the repository. */
  readonly pages: ReadonlyMap<string, SourcePage>;
  /** Addresses of pictures and examples, by path below the repository. */
  readonly assets: ReadonlyMap<string, string>;
}

/** Reads every page. Rejects when a file can't be read. */
export async function readSiteFiles(): Promise<SiteFiles> {
  const names = await readdir(join(ROOT, DOCS), { recursive: true });
  const files = names.map((name) => posix.join(DOCS, name.replaceAll("\\", "/"))).sort();
  const markdown = [...files.filter((file) => file.endsWith(".md")), ...ELSEWHERE.keys()];
  const pages = await Promise.all(markdown.map(readPage));
  const assets = files.filter((file) => ASSET_TYPES.has(posix.extname(file)));
  return {
    pages: new Map(pages.map((page) => [page.file, page])),
    assets: new Map(assets.map((file) => [file, `/${file}`])),
  };
}

/** An asset of the site, and its media type. */
export async function readAsset(file: string): Promise<{ content: Buffer; type: string }> {
  const type = ASSET_TYPES.get(posix.extname(file)) ?? "application/octet-stream";
  return { content: await readFile(join(ROOT, file)), type };
}

async function readPage(file: string): Promise<SourcePage> {
  const markdown = await readFile(join(ROOT, file), "utf8");
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file;
  return { file, address: addressOf(file), title: title.replaceAll("`", ""), markdown };
}

/** `docs/operating/lag.md` is `/docs/operating/lag`; a README is its folder. */
function addressOf(file: string): string {
  return ELSEWHERE.get(file) ?? `/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`;
}
