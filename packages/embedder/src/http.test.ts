import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeEmbedder, passage } from "./conformance.ts";
import { openHashedEmbedder } from "./hashed.ts";
import { openHttpEmbedder } from "./http.ts";
import type { HttpEmbedderOptions } from "./http.ts";
import { embedderFromUrl } from "./open.ts";
import { EmbedderRejected, EmbedderUnavailable } from "./port.ts";
import type { Embedder } from "./port.ts";

interface EmbeddingsRequest {
  readonly model: string;
  readonly input: readonly string[];
}

/** What the endpoint was asked, and how it answers the next requests instead of properly. */
let requests: { readonly body: EmbeddingsRequest; readonly authorization: string | undefined }[] =
  [];
let failures: ((response: ServerResponse) => void)[] = [];
let server: Server;
let baseUrl = "";

beforeEach(async () => {
  requests = [];
  failures = [];
  server = createServer((request, response) => {
    // Who has given up in the middle of a request waits for no answer.
    answer(request, response).catch(() => response.destroy());
  });
  // No connection is closed while a test stands still: what is sent on it then would be sent twice.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(async () => {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
});

/** A real endpoint: vectors of the hashed embedder, twice their length and in reverse order. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(await text(request)) as EmbeddingsRequest;
  requests.push({ body, authorization: request.headers.authorization });
  const fail = failures.shift();
  if (fail !== undefined) {
    fail(response);
    return;
  }
  if (request.url !== "/v1/embeddings" || request.method !== "POST") {
    response.writeHead(404).end();
    return;
  }
  await using hashed = await openHashedEmbedder({ dimensions: 64 });
  const vectors = await hashed.embed(body.input.map(passage));
  const data = vectors
    .map((vector, index) => ({
      object: "embedding",
      index,
      embedding: Array.from(vector, (x) => x * 2),
    }))
    .reverse();
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ object: "list", data, model: body.model }));
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers).end("{}");
  };
const reply =
  (body: string) =>
  (response: ServerResponse): void => {
    response.end(body);
  };

function open(options: Partial<HttpEmbedderOptions> = {}): Promise<Embedder> {
  return openHttpEmbedder({ baseUrl, model: "m", dimensions: 64, retryDelayMs: 1, ...options });
}

describeEmbedder("http", open);

describe("the http embedder", () => {
  it("asks in batches of 64 with model, key and prefixes", async () => {
    const prefixes = { passage: "passage: ", query: "query: " };
    await using embedder = await open({ apiKey: "secret", prefixes });
    const texts = Array.from({ length: 130 }, (_, i) => passage(`text ${i}`));
    await embedder.embed([...texts, { text: "asked", role: "query" }]);
    expect(requests.map(({ body }) => body.input.length)).toEqual([64, 64, 3]);
    expect(requests[2]?.body).toMatchObject({
      model: "m",
      input: ["passage: text 128", "passage: text 129", "query: asked"],
      encoding_format: "float",
    });
    expect(requests[0]?.authorization).toBe("Bearer secret");
  });

  it("retries what may pass: 429, 5xx and broken connections", async () => {
    await using embedder = await open();
    failures = [status(429, { "retry-after": "0" }), status(503)];
    expect(await embedder.embed([passage("a")])).toHaveLength(1);
    failures = [(response) => response.destroy()];
    expect(await embedder.embed([passage("a")])).toHaveLength(1);
    expect(requests).toHaveLength(5);
  });

  it("gives up after three attempts as unavailable", async () => {
    await using embedder = await open();
    failures = Array.from({ length: 4 }, () => status(500));
    await expect(embedder.embed([passage("a")])).rejects.toThrow(EmbedderUnavailable);
    expect(requests).toHaveLength(3);
  });

  it("does not wait longer than is useful when it is told to", async () => {
    await using embedder = await open();
    failures = [status(429, { "retry-after": "3600" })];
    await expect(embedder.embed([passage("a")])).rejects.toThrow(EmbedderUnavailable);
    expect(requests).toHaveLength(1);
  });

  it("gives up on an endpoint that does not answer in time", async () => {
    await using embedder = await open({ timeoutMs: 30 });
    failures = Array.from({ length: 3 }, () => () => undefined);
    await expect(embedder.embed([passage("a")])).rejects.toThrow(EmbedderUnavailable);
  });

  it.each([400, 401, 403, 404, 422, 301])("does not retry a refusal with %i", async (code) => {
    await using embedder = await open();
    failures = [status(code, { location: `${baseUrl}/elsewhere` })];
    await expect(embedder.embed([passage("a")])).rejects.toThrow(EmbedderRejected);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["no JSON", "<html>"],
    ["null", "null"],
    ["no data", "{}"],
    ["too few", '{"data": []}'],
    ["no embedding", '{"data": [{"index": 0}]}'],
    ["another size", '{"data": [{"index": 0, "embedding": [1, 2]}]}'],
    ["a foreign index", '{"data": [{"index": 7, "embedding": [1, 2]}]}'],
    ["no direction", JSON.stringify({ data: [{ index: 0, embedding: Array(64).fill(0) }] })],
    ["no numbers", JSON.stringify({ data: [{ index: 0, embedding: Array(64).fill("x") }] })],
  ])("refuses an answer with %s", async (_, body) => {
    await using embedder = await open();
    failures = [reply(body)];
    await expect(embedder.embed([passage("a")])).rejects.toThrow(EmbedderRejected);
  });

  it("says that an endpoint can't be reached", async () => {
    await using embedder = await open();
    server.close();
    await once(server, "close");
    await expect(embedder.embed([passage("a")])).rejects.toThrow(/127\.0\.0\.1:\d+.*ECONNREFUSED/);
  });

  it("ends a request in progress when it is closed", async () => {
    const embedder = await open();
    failures = [() => void embedder[Symbol.asyncDispose]()];
    await expect(embedder.embed([passage("a")])).rejects.toThrow(EmbedderUnavailable);
    expect(requests).toHaveLength(1);
  });

  it("is named by a configuration line", async () => {
    await using embedder = await embedderFromUrl(`${baseUrl}#org/multilingual-e5-small:64`, {
      apiKey: "secret",
    });
    expect(embedder.model).toBe("http-org/multilingual-e5-small-64");
    await embedder.embed([passage("a")]);
    expect(requests[0]?.body.input).toEqual(["passage: a"]);
    expect(requests[0]?.authorization).toBe("Bearer secret");
  });
});

describe("a configuration line", () => {
  it("names the hashed embedder, with or without dimensions", async () => {
    await using usual = await embedderFromUrl("hashed");
    await using small = await embedderFromUrl("hashed:64");
    expect([usual.model, small.model]).toEqual(["hashed-ngrams-1-256", "hashed-ngrams-1-64"]);
  });

  it.each([
    "",
    "hashed:0",
    "hashed:99999",
    "onnx:models",
    "https://host/v1",
    "https://host/v1#m",
    "ftp://x#m:8",
  ])("is refused in one line: %j", async (line) => {
    await expect(embedderFromUrl(line)).rejects.toThrow(EmbedderRejected);
    await expect(embedderFromUrl(line)).rejects.toThrow(/^[^\n]+$/);
  });

  it("names an ONNX model, which must be there", async () => {
    await expect(embedderFromUrl("onnx:/absent#model")).rejects.toThrow(
      "no model at /absent/model",
    );
  });
});
