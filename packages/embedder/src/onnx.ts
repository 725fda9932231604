import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EmbedderRejected, EmbedderUnavailable, TEXTS_PER_CALL_MAX } from "./port.ts";
import type { Embedder, TextToEmbed } from "./port.ts";
import { EMBEDDED_CHARACTERS_MAX } from "./text.ts";
import { NO_PREFIXES, unitVector } from "./unit.ts";
import type { RolePrefixes } from "./unit.ts";

export interface OnnxEmbedderOptions {
  /** Folder that holds models, each in a folder of its own; `hub`: the runtime's model hub, over the network. */
  readonly directory: string;
  /** Folder of the model in it (`config.json`, `tokenizer.json`, `onnx/`), or its name at the hub. */
  readonly modelName: string;
  /** Which of the model's files: `q8` is `onnx/model_quantized.onnx`. */
  readonly dtype?: "fp32" | "fp16" | "q8";
  readonly pooling?: "mean" | "cls";
  readonly prefixes?: RolePrefixes;
}

/** Texts the model takes at once: attention's memory grows with their number and their length. */
const TEXTS_PER_BATCH_MAX = 16;
const HUB = "hub";
const RUNTIME_PACKAGE = "@huggingface/transformers";
const RUNTIME_FOLDER = new URL("../onnx-runtime/package.json", import.meta.url);

/** The few parts of the runtime that are used; it is not installed where this is type-checked. */
interface Runtime {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(
    task: "feature-extraction",
    model: string,
    options: { readonly dtype: string },
  ): Promise<Extractor>;
}
interface Extractor {
  (
    texts: readonly string[],
    options: { readonly pooling: string; readonly normalize: true },
  ): Promise<{ readonly dims: readonly number[]; readonly data: Float32Array }>;
  dispose(): Promise<unknown>;
}

/**
 * An ONNX sentence model from a local folder or a hub. The runtime is an optional installation (`make onnx`), loaded
 * only here; where it or the model is missing: EmbedderRejected with one line that says what to do.
 */
export async function openOnnxEmbedder(options: OnnxEmbedderOptions): Promise<Embedder> {
  const { directory, modelName, dtype = "q8", pooling = "mean", prefixes = NO_PREFIXES } = options;
  const folder = directory === HUB ? undefined : resolve(directory);
  if (folder !== undefined && !existsSync(join(folder, modelName, "config.json"))) {
    throw new EmbedderRejected(`onnx embedder: no model at ${join(folder, modelName)}`);
  }
  const extract = await load(folder, modelName, dtype);
  const run = async (texts: readonly TextToEmbed[]): Promise<readonly Float32Array[]> => {
    const inputs = texts.map(
      ({ text, role }) => prefixes[role] + text.slice(0, EMBEDDED_CHARACTERS_MAX),
    );
    const { dims, data } = await extract(inputs, { pooling, normalize: true });
    const size = dims.at(-1) ?? 0;
    return inputs.map((_, i) => unitVector(data.subarray(i * size, (i + 1) * size), size));
  };
  const [probe] = await run([{ text: "dimensions", role: "passage" }]);
  const dimensions = probe?.length ?? 0;
  let closing: Promise<unknown> | undefined;
  return {
    // A hub's names have an owner in front; the model's name becomes part of a path.
    model: `onnx-${modelName.replaceAll("/", "--")}-${dtype}-${dimensions}`,
    dimensions,
    embed: async (texts) => {
      if (closing !== undefined) throw new EmbedderUnavailable("the embedder is closed");
      if (texts.length > TEXTS_PER_CALL_MAX) {
        throw new EmbedderRejected(`${texts.length} texts, at most ${TEXTS_PER_CALL_MAX}`);
      }
      const vectors: Float32Array[] = [];
      for (let begin = 0; begin < texts.length; begin += TEXTS_PER_BATCH_MAX) {
        vectors.push(...(await run(texts.slice(begin, begin + TEXTS_PER_BATCH_MAX))));
      }
      return vectors;
    },
    [Symbol.asyncDispose]: async () => {
      closing ??= extract.dispose();
      await closing;
    },
  };
}

async function load(
  folder: string | undefined,
  modelName: string,
  dtype: string,
): Promise<Extractor> {
  const runtime = await loadRuntime();
  runtime.env.allowRemoteModels = folder === undefined;
  if (folder !== undefined) runtime.env.localModelPath = `${folder}/`;
  try {
    return await runtime.pipeline("feature-extraction", modelName, { dtype });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new EmbedderRejected(`onnx embedder: can't load ${modelName}: ${reason}`, {
      cause: error,
    });
  }
}

/** Whether `make onnx` has been run. */
export function onnxRuntimeInstalled(): boolean {
  return runtimePath() !== undefined;
}

async function loadRuntime(): Promise<Runtime> {
  const path = runtimePath();
  if (path === undefined) {
    throw new EmbedderRejected("onnx embedder: its runtime is not installed; run `make onnx`");
  }
  return (await import(pathToFileURL(path).href)) as Runtime;
}

function runtimePath(): string | undefined {
  try {
    return createRequire(RUNTIME_FOLDER).resolve(RUNTIME_PACKAGE);
  } catch {
    return undefined;
  }
}
