import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { passage } from "./conformance.ts";
import type { Embedder } from "./port.ts";
import { textOfArticle } from "./text.ts";

/** Beside the checkout; their README says what they are. Nothing of them is in this repository. */
const CORPORA = new URL("../../../../shared/corpora/", import.meta.url);
export const LIVEDOOR = fileURLToPath(new URL("livedoor-news.tar.gz", CORPORA));
export const HUFFPOST = fileURLToPath(new URL("huffpost-headlines.jsonl.gz", CORPORA));

const SUMMARY_CHARACTERS = 100;
const NEIGHBOURS = 10;
const TAR_BLOCK_BYTES = 512;

/** An article's text and what related articles have in common. */
interface LabelledText {
  readonly label: string;
  readonly text: string;
}

/** 7,367 Japanese articles, labelled with their publisher. */
export function readLivedoor(): LabelledText[] {
  const archive = gunzipSync(readFileSync(LIVEDOOR));
  const texts: LabelledText[] = [];
  for (let at = 0; at + TAR_BLOCK_BYTES <= archive.length;) {
    const field = (begin: number, length: number): string =>
      archive.toString("utf8", at + begin, at + begin + length).replace(/\0.*$/s, "");
    const path = field(0, 100).split("/").reverse();
    const bytes = Number.parseInt(field(124, 12), 8) || 0;
    const content = archive.subarray(at + TAR_BLOCK_BYTES, at + TAR_BLOCK_BYTES + bytes);
    at += TAR_BLOCK_BYTES * (1 + Math.ceil(bytes / TAR_BLOCK_BYTES));
    const [file = "", label = ""] = path;
    if (!file.startsWith(label) || !/-\d+\.txt$/.test(file)) continue;
    const [, , title = "", ...body] = content.toString("utf8").split("\n");
    texts.push(labelled(label, title, body.join("\n").trim()));
  }
  return texts;
}

/** 9,999 English headlines with a sentence each, labelled with their category. */
export function readHuffpost(): LabelledText[] {
  const lines = gunzipSync(readFileSync(HUFFPOST)).toString("utf8").trim().split("\n");
  return lines.map((line) => {
    const {
      category = "",
      headline = "",
      short_description: body = "",
    } = JSON.parse(line) as Record<string, string>;
    return labelled(category, headline, body);
  });
}

/** Share of the ten nearest neighbours that have the article's label, over evenly spread samples. */
export async function precisionAt10(
  embedder: Embedder,
  texts: readonly LabelledText[],
  samples: number,
): Promise<number> {
  const vectors: Float32Array[] = [];
  for (let begin = 0; begin < texts.length; begin += 200) {
    const batch = texts.slice(begin, begin + 200);
    vectors.push(...(await embedder.embed(batch.map(({ text }) => passage(text)))));
  }
  let same = 0;
  for (let sample = 0; sample < samples; sample++) {
    const index = Math.floor((sample * texts.length) / samples);
    for (const i of nearestTo(index, vectors)) {
      if (texts[i]?.label === texts[index]?.label) same++;
    }
  }
  return same / (samples * NEIGHBOURS);
}

function nearestTo(index: number, vectors: readonly Float32Array[]): readonly number[] {
  const query = vectors[index] ?? new Float32Array();
  const scores = Float32Array.from(vectors, (vector, i) => (i === index ? -1 : dot(query, vector)));
  const worst = scores.toSorted().at(-NEIGHBOURS) ?? 0;
  return [...scores.keys()].filter((i) => (scores[i] ?? -1) >= worst).slice(0, NEIGHBOURS);
}

/** A loop, because this runs millions of times. */
function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] as number) * (right[i] as number);
  return sum;
}

function labelled(label: string, title: string, body: string): LabelledText {
  return {
    label,
    text: textOfArticle({ title, summary: body.slice(0, SUMMARY_CHARACTERS), body }),
  };
}
