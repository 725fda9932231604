import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EmbedderRejected, EmbedderUnavailable, TEXTS_PER_CALL_MAX } from "./port.ts";
import type { Embedder, TextToEmbed } from "./port.ts";

/** What every Embedder adapter must do. An adapter's test file is one call with how it is opened. */
export function describeEmbedder(adapterName: string, open: () => Promise<Embedder>): void {
  describe(`Embedder: ${adapterName}`, () => {
    let embedder: Embedder;
    beforeEach(async () => {
      embedder = await open();
    });
    afterEach(() => embedder[Symbol.asyncDispose]());

    it("names its dimensions at the end of its model", () => {
      expect(embedder.model).toMatch(new RegExp(`^[a-z].*-${embedder.dimensions}$`));
    });

    it("gives one unit vector for each text, also for empty, long and odd ones", async () => {
      const texts = ["", " \n", "駅前に新しい店", "🎉", "\u0000\ud800", "word ".repeat(50_000)];
      const vectors = await embedder.embed(texts.map(passage));
      expect(vectors).toHaveLength(texts.length);
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
      }
    });

    it("keeps the order of the texts and gives each the vector it has alone", async () => {
      const texts = Array.from({ length: 40 }, (_, i) => `report number ${i} about topic ${i * 7}`);
      const together = await embedder.embed(texts.map(passage));
      for (const i of [0, 17, 39]) {
        const [alone] = await embedder.embed([passage(texts[i]!)]);
        expect(cosine(together[i]!, alone!)).toBeGreaterThan(0.98);
      }
    });

    it("gives the same vector for the same text", async () => {
      const [first, second] = await embedder.embed([passage("the same"), passage("the same")]);
      expect(cosine(first!, second!)).toBeGreaterThan(0.9999);
    });

    it("gives nothing for nothing and refuses more texts than a call may have", async () => {
      expect(await embedder.embed([])).toEqual([]);
      const texts = Array.from({ length: TEXTS_PER_CALL_MAX + 1 }, () => passage("text"));
      await expect(embedder.embed(texts)).rejects.toThrow(EmbedderRejected);
    });

    it("rejects after it is closed, and may be closed twice", async () => {
      await embedder[Symbol.asyncDispose]();
      await expect(embedder.embed([passage("text")])).rejects.toThrow(EmbedderUnavailable);
      await embedder[Symbol.asyncDispose]();
    });
  });
}

export function passage(text: string): TextToEmbed {
  return { text, role: "passage" };
}

/** Of unit vectors. */
export function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0);
}
