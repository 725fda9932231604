/** A text to embed. Models that tell queries from passages (E5 and the like) use `role`. */
export interface TextToEmbed {
  readonly text: string;
  readonly role: "passage" | "query";
}

/** Texts in one call of `embed`. */
export const TEXTS_PER_CALL_MAX = 256;

/**
 * Texts to unit vectors in which related texts are near, whatever makes them.
 * Errors: EmbedderUnavailable (model or endpoint away; retry later), EmbedderRejected (misconfigured).
 * Closed: after disposal `embed` rejects with EmbedderUnavailable; disposing twice is harmless.
 */
export interface Embedder extends AsyncDisposable {
  /** Name, version and dimension in one (`hashed-ngrams-1-256`): part of the content index's name. */
  readonly model: string;
  readonly dimensions: number;
  /** One unit vector for each text, in order. At most 256 texts; long texts are cut by the adapter. */
  embed(texts: readonly TextToEmbed[]): Promise<readonly Float32Array[]>;
}

export class EmbedderUnavailable extends Error {
  override readonly name = "EmbedderUnavailable";
}
export class EmbedderRejected extends Error {
  override readonly name = "EmbedderRejected";
}
