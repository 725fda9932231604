import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LIVEDOOR, readLivedoor } from "@feed/embedder/corpora.fixture";
import { openHashedEmbedder } from "@feed/embedder/hashed";
import { Matrix } from "./matrix.ts";
import { NearestSearch } from "./nearest.ts";

const present = existsSync(LIVEDOOR);
if (!present) process.stderr.write(`recall on real articles is not tested: no ${LIVEDOOR}\n`);

const QUERIES = 200;
const BEST = 100;

async function realVectors(): Promise<Float32Array[]> {
  await using embedder = await openHashedEmbedder();
  const texts = readLivedoor().map(({ text }) => ({ text, role: "passage" as const }));
  const vectors: Float32Array[] = [];
  for (let begin = 0; begin < texts.length; begin += 200) {
    vectors.push(...(await embedder.embed(texts.slice(begin, begin + 200))));
  }
  return vectors;
}

function exactBest(vectors: readonly Float32Array[], query: Float32Array): Set<number> {
  const scores = Float64Array.from(vectors, (vector) => {
    let sum = 0;
    for (let i = 0; i < vector.length; i++) sum += (vector[i] as number) * (query[i] as number);
    return sum;
  });
  const worst = scores.toSorted().at(-BEST) ?? 0;
  return new Set([...scores.keys()].filter((slot) => (scores[slot] ?? -1) >= worst));
}

describe.skipIf(!present)("nearest among 7,367 real articles", () => {
  it("recalls 99 % of the exact top 100, asked for no more than those", async () => {
    const vectors = await realVectors();
    const matrix = new Matrix(256);
    vectors.forEach((vector, slot) => {
      matrix.setVector(slot, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
      matrix.setFacet(slot, 1, 0);
    });
    matrix.filter(Uint8Array.of(0, 1), -Infinity, Infinity);
    const search = new NearestSearch(matrix, (left, right) => left - right);
    let shared = 0;
    for (let query = 0; query < QUERIES; query++) {
      const vector =
        vectors[Math.floor((query * vectors.length) / QUERIES)] ?? new Float32Array(256);
      const wanted = exactBest(vectors, vector);
      const [found = []] = search.find([{ vector, limit: BEST }]);
      shared += found.filter((slot) => wanted.has(slot)).length;
    }
    const recall = shared / (QUERIES * BEST);
    process.stdout.write(`recall of the exact top ${BEST}: ${recall.toFixed(4)}\n`);
    expect(recall).toBeGreaterThanOrEqual(0.99);
  });
});
