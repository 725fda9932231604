import { EmbedderUnavailable, type Embedder } from "@feed/embedder";

/** Interests given in words by all users together; far fewer are in use at a time. */
const CACHED_MAX = 5_000;
const TEXTS_PER_CALL_MAX = 256;

/** Vectors of the interests that users state in their properties, made once for each wording. */
export class StatedInterests {
  readonly #embedder: Embedder;
  readonly #known = new Map<string, Float32Array>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** In the order given. While the embedder is away, wordings not met before are left out. */
  async vectorsOf(interests: readonly string[]): Promise<readonly Float32Array[]> {
    const missing = [...new Set(interests)]
      .filter((text) => !this.#known.has(text))
      .slice(0, TEXTS_PER_CALL_MAX);
    if (missing.length > 0) await this.#embed(missing).catch(passOverUnavailable);
    return interests.flatMap((text) => this.#known.get(text) ?? []);
  }

  async #embed(texts: readonly string[]): Promise<void> {
    const vectors = await this.#embedder.embed(texts.map((text) => ({ text, role: "query" })));
    if (this.#known.size + texts.length > CACHED_MAX) this.#known.clear();
    texts.forEach((text, at) => {
      const vector = vectors[at];
      if (vector !== undefined) this.#known.set(text, vector);
    });
  }
}

function passOverUnavailable(error: unknown): void {
  if (!(error instanceof EmbedderUnavailable)) throw error;
}
