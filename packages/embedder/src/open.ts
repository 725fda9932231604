import { EmbedderRejected } from "./port.ts";
import type { Embedder } from "./port.ts";

export interface EmbedderSecrets {
  /** Sent to http endpoints as bearer token. */
  readonly apiKey?: string;
}

const FORMS =
  "hashed:DIMENSIONS, onnx:DIRECTORY#MODEL, onnx:hub#OWNER/MODEL or https://HOST/PATH#MODEL:DIMENSIONS";
/** E5 models are trained with these; without them their vectors are worse, without an error. */
const E5_PREFIXES = { passage: "passage: ", query: "query: " };

/**
 * The embedder a configuration line names: `hashed:256`, `onnx:models#all-MiniLM-L6-v2`,
 * `https://api.example.com/v1#text-embedding-3-small:1536`. Models with "e5" in their name get its
 * prefixes. Loads only the adapter that is named; EmbedderRejected for any other line.
 */
export async function embedderFromUrl(
  line: string,
  { apiKey }: EmbedderSecrets = {},
): Promise<Embedder> {
  const hashed = /^hashed(?::(\d{1,5}))?$/.exec(line);
  if (hashed !== null) {
    const { openHashedEmbedder } = await import("./hashed.ts");
    return openHashedEmbedder(hashed[1] === undefined ? {} : { dimensions: Number(hashed[1]) });
  }
  const onnx = /^onnx:([^#]+)#([^#]+)$/.exec(line);
  if (onnx !== null) {
    const [, directory = "", modelName = ""] = onnx;
    const { openOnnxEmbedder } = await import("./onnx.ts");
    return openOnnxEmbedder({ directory, modelName, ...prefixesOf(modelName) });
  }
  const http = /^(https?:\/\/[^#]+)#([^#]+):(\d{1,5})$/.exec(line);
  if (http !== null) {
    const [, baseUrl = "", model = "", dimensions] = http;
    const { openHttpEmbedder } = await import("./http.ts");
    return openHttpEmbedder({
      baseUrl,
      model,
      dimensions: Number(dimensions),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...prefixesOf(model),
    });
  }
  throw new EmbedderRejected(`embedder: "${line}" is none of ${FORMS}`);
}

function prefixesOf(model: string): { prefixes?: typeof E5_PREFIXES } {
  return /(?:^|[^a-z0-9])e5(?:[^a-z0-9]|$)/i.test(model) ? { prefixes: E5_PREFIXES } : {};
}
