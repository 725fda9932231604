/** A text to embed. Models that tell queries from passages (E5 and the like) use `role`. */
export interface TextToEmbed {
  readonly text: string;
  readonly role: "passage" | "query";
}

/**
 * Texts to unit vectors in which related texts are near, whatever makes them.
 * Errors: EmbedderUnavailable (model or endpoint away; retry later), EmbedderRejected (misconfigured).
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
