import { addFeatures, hashOf } from "./hashed-features.ts";
import { EmbedderRejected, EmbedderUnavailable, TEXTS_PER_CALL_MAX } from "./port.ts";
import type { Embedder, TextToEmbed } from "./port.ts";
import { EMBEDDED_CHARACTERS_MAX } from "./text.ts";

export interface HashedEmbedderOptions {
  /** 16 to 4,096; more tell articles apart better, at the price of memory and time. */
  readonly dimensions?: number;
}

/** Changes with anything that changes a vector, so that old and new ones never meet. */
const VERSION = "hashed-ngrams-1";
const DIMENSIONS_DEFAULT = 256;
const DIMENSIONS_MIN = 16;
const DIMENSIONS_MAX = 4_096;
/** A title says what the body is about: its features count as if they stood there three times. */
const FIRST_LINE_WEIGHT = 3;
/** Components each feature adds to: a sparse random projection (Achlioptas 2003, Li et al. 2006). */
const COMPONENTS_PER_FEATURE = 8;

/**
 * Vectors from the text alone: words and character n-grams, hashed to a few signed components each.
 *
 * Needs no model and no download, gives the same vector for the same text on every machine, and knows
 * no meanings: texts are near when they share words. Rejects with EmbedderRejected for other dimensions.
 */
export async function openHashedEmbedder(options: HashedEmbedderOptions = {}): Promise<Embedder> {
  const { dimensions = DIMENSIONS_DEFAULT } = options;
  const possible = dimensions >= DIMENSIONS_MIN && dimensions <= DIMENSIONS_MAX;
  if (!Number.isInteger(dimensions) || !possible) {
    throw new EmbedderRejected(
      `hashed embedder: ${dimensions} dimensions, not ${DIMENSIONS_MIN} to ${DIMENSIONS_MAX}`,
    );
  }
  let closed = false;
  return {
    model: `${VERSION}-${dimensions}`,
    dimensions,
    embed: async (texts) => {
      if (closed) throw new EmbedderUnavailable("the embedder is closed");
      if (texts.length > TEXTS_PER_CALL_MAX) {
        throw new EmbedderRejected(`${texts.length} texts, at most ${TEXTS_PER_CALL_MAX}`);
      }
      return texts.map((text) => vectorOf(text, dimensions));
    },
    [Symbol.asyncDispose]: async () => {
      closed = true;
    },
  };
}

function vectorOf({ text }: TextToEmbed, dimensions: number): Float32Array {
  const weights = new Map<string, number>();
  const cut = text.slice(0, EMBEDDED_CHARACTERS_MAX).normalize("NFKC").toLowerCase();
  const lineEnd = cut.indexOf("\n");
  const firstLine = lineEnd === -1 ? cut : cut.slice(0, lineEnd);
  addFeatures(weights, firstLine, FIRST_LINE_WEIGHT);
  addFeatures(weights, cut.slice(firstLine.length), 1);
  const vector = new Float32Array(dimensions);
  for (const [feature, weight] of weights) {
    // Sublinear: the tenth mention of a word says little that the first did not.
    project(vector, hashOf(feature), Math.log1p(weight));
  }
  return toUnitLength(vector);
}

/** Adds the weight, with a random sign, to components that follow from the hash. */
function project(vector: Float32Array, hash: number, weight: number): void {
  let state = hash;
  for (let i = 0; i < COMPONENTS_PER_FEATURE; i++) {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    bits = (bits ^ (bits >>> 15)) >>> 0;
    const component = (bits & 0x7fffffff) % vector.length;
    vector[component] = (vector[component] as number) + (bits >>> 31 === 1 ? weight : -weight);
  }
}

/** A text without a feature gets the first axis: a direction of its own, like that of no other text. */
function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (length === 0) {
    vector[0] = 1;
    return vector;
  }
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length;
  return vector;
}
