import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cosine, describeEmbedder, passage } from "./conformance.ts";
import { onnxRuntimeInstalled, openOnnxEmbedder } from "./onnx.ts";
import { EmbedderRejected } from "./port.ts";

const directory = fileURLToPath(new URL("../../../../shared/models", import.meta.url));
const modelName = "all-MiniLM-L6-v2";
const modelPresent = existsSync(join(directory, modelName, "onnx", "model_quantized.onnx"));
const present = modelPresent && onnxRuntimeInstalled();
if (!present) {
  const why = onnxRuntimeInstalled() ? `${directory} has no model` : "`make onnx` has not been run";
  process.stderr.write(`onnx model tests are skipped: ${why}\n`);
}

describe.skipIf(!present)("with a real sentence model", () => {
  describeEmbedder("onnx", () => openOnnxEmbedder({ directory, modelName }));

  it("finds a paraphrase near and another topic far", async () => {
    await using embedder = await openOnnxEmbedder({ directory, modelName });
    expect(embedder.dimensions).toBe(384);
    expect(embedder.model).toBe("onnx-all-MiniLM-L6-v2-q8-384");
    const [bank, policy, football] = await embedder.embed(
      [
        "The central bank raised interest rates again",
        "Monetary policy tightens as inflation persists",
        "The striker scored twice in the football final",
      ].map(passage),
    );
    expect(cosine(bank!, policy!)).toBeCloseTo(0.46, 1);
    expect(Math.abs(cosine(bank!, football!))).toBeLessThan(0.15);
  });

  it("puts a prefix before each text, by its role", async () => {
    const prefixes = { passage: "passage: ", query: "query: " };
    await using prefixing = await openOnnxEmbedder({ directory, modelName, prefixes });
    await using plain = await openOnnxEmbedder({ directory, modelName });
    const [query] = await prefixing.embed([{ text: "interest rates", role: "query" }]);
    const [written] = await plain.embed([passage("query: interest rates")]);
    expect(cosine(query!, written!)).toBeGreaterThan(0.9999);
  });
});

describe.skipIf(!onnxRuntimeInstalled())("with the runtime installed", () => {
  it("says in one line that a model's file is missing", async () => {
    const opened = openOnnxEmbedder({ directory, modelName, dtype: "fp16" });
    await expect(opened).rejects.toThrow(EmbedderRejected);
    await expect(opened).rejects.toThrow(/^onnx embedder: [^\n]+$/);
  });
});

it.skipIf(!modelPresent || onnxRuntimeInstalled())("says how to install the runtime", async () => {
  const opened = openOnnxEmbedder({ directory, modelName });
  await expect(opened).rejects.toThrow(/^onnx embedder: [^\n]+run `make onnx`$/);
});

it("says in one line that there is no model", async () => {
  const empty = await mkdtemp(join(tmpdir(), "models-"));
  const opened = openOnnxEmbedder({ directory: empty, modelName: "absent" });
  await expect(opened).rejects.toThrow(EmbedderRejected);
  await expect(opened).rejects.toThrow(/^onnx embedder: no model at [^\n]+absent$/);
});
