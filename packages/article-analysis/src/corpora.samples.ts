import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sharedFolder } from "@feed/test-kit";

/** Real articles for tests, read from beside the checkout; they are not part of the repository. */
const directory = join(sharedFolder() ?? "nowhere", "corpora");
const livedoorFile = join(directory, "livedoor-news.tar.gz");
const huffpostFile = join(directory, "huffpost-headlines.jsonl.gz");

export const corporaPresent = existsSync(livedoorFile) && existsSync(huffpostFile);

export interface LivedoorArticle {
  readonly publisher: string;
  readonly publishedAtMs: number;
  readonly title: string;
  readonly text: string;
}

/** Every article of the Japanese corpus: line 1 address, 2 date, 3 title, then the text. */
export function livedoorArticles(): readonly LivedoorArticle[] {
  return tarFiles(gunzipSync(readFileSync(livedoorFile))).flatMap(({ path, content }) => {
    const [publisher = "", name = ""] = path.replace(/^\.\//, "").split("/");
    if (!name.startsWith(`${publisher}-`)) return [];
    const [, date = "", title = "", ...lines] = content.split("\n");
    const publishedAtMs = Date.parse(date.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
    return [{ publisher, publishedAtMs, title: title.trim(), text: lines.join("\n").trim() }];
  });
}

interface TarFile {
  readonly path: string;
  readonly content: string;
}

/**
 * The plain files of a tar archive (POSIX ustar: 512-byte headers, name at 0, size in octal at
 * 124).
 */
function tarFiles(archive: Buffer): readonly TarFile[] {
  const files: TarFile[] = [];
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const header = archive.subarray(at, at + 512);
    const path = header.toString("utf8", 0, 100).replace(/\0.*$/s, "");
    const sizeBytes = Number.parseInt(header.toString("latin1", 124, 136), 8);
    files.push({ path, content: archive.toString("utf8", at + 512, at + 512 + sizeBytes) });
    at += 512 + Math.ceil(sizeBytes / 512) * 512;
  }
  return files;
}

export interface Headline {
  readonly headline: string;
  readonly short_description: string;
  readonly category: string;
}

/** Every headline of the English corpus. */
export function huffpostHeadlines(): readonly Headline[] {
  const lines = gunzipSync(readFileSync(huffpostFile)).toString("utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Headline);
}
