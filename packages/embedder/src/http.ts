import { setTimeout as delay } from "node:timers/promises";
import { EmbedderRejected, EmbedderUnavailable, TEXTS_PER_CALL_MAX } from "./port.ts";
import type { Embedder, TextToEmbed } from "./port.ts";
import { EMBEDDED_CHARACTERS_MAX } from "./text.ts";
import { NO_PREFIXES, unitVector } from "./unit.ts";
import type { RolePrefixes } from "./unit.ts";

export interface HttpEmbedderOptions {
  /** Without `/embeddings`, e.g. `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** The endpoint's name of the model. */
  readonly model: string;
  readonly dimensions: number;
  readonly apiKey?: string;
  readonly prefixes?: RolePrefixes;
  /** Of one request; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Before the first retry, doubled for the second; 500 by default. */
  readonly retryDelayMs?: number;
}

/** Texts in one request: small enough for endpoints that run on a CPU. */
const TEXTS_PER_REQUEST_MAX = 64;
const ATTEMPTS_MAX = 3;
const TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 500;
/** A server may ask to wait longer than is useful here: the caller then retries later. */
const RETRY_AFTER_MAX_MS = 5_000;
/** 64 vectors of 4,096 numbers of 24 characters are a tenth of it. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Any endpoint that speaks the OpenAI embeddings interface: POST {baseUrl}/embeddings.
 *
 * Too many requests, 5xx, time-outs and network errors are retried twice, then EmbedderUnavailable; every
 * other refusal, and vectors of another size, are EmbedderRejected. Redirects are not followed, so that
 * the key goes to no other host. Opening makes no request.
 */
export async function openHttpEmbedder(options: HttpEmbedderOptions): Promise<Embedder> {
  return new HttpEmbedder(options);
}

class HttpEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly #options: HttpEmbedderOptions;
  readonly #url: string;
  readonly #closed = new AbortController();

  constructor(options: HttpEmbedderOptions) {
    this.#options = options;
    this.#url = embeddingsUrl(options.baseUrl);
    this.model = `http-${options.model}-${options.dimensions}`;
    this.dimensions = options.dimensions;
  }

  async embed(texts: readonly TextToEmbed[]): Promise<readonly Float32Array[]> {
    if (texts.length > TEXTS_PER_CALL_MAX) {
      throw new EmbedderRejected(`${texts.length} texts, at most ${TEXTS_PER_CALL_MAX}`);
    }
    const vectors: Float32Array[] = [];
    for (let begin = 0; begin < texts.length; begin += TEXTS_PER_REQUEST_MAX) {
      vectors.push(...(await this.#embedBatch(texts.slice(begin, begin + TEXTS_PER_REQUEST_MAX))));
    }
    if (this.#closed.signal.aborted) throw new EmbedderUnavailable("the embedder is closed");
    return vectors;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
  }

  async #embedBatch(texts: readonly TextToEmbed[]): Promise<readonly Float32Array[]> {
    const { prefixes = NO_PREFIXES, retryDelayMs = RETRY_DELAY_MS } = this.#options;
    const input = texts.map(({ text, role }) => {
      const cut = text.slice(0, EMBEDDED_CHARACTERS_MAX);
      // Endpoints refuse empty strings.
      return prefixes[role] + (cut.trim() === "" ? "-" : cut);
    });
    const body = JSON.stringify({ model: this.#options.model, input, encoding_format: "float" });
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#post(body);
      if ("answer" in outcome) return vectorsOf(outcome.answer, texts.length, this.dimensions);
      if (attempt === ATTEMPTS_MAX || outcome.retryAfterMs > RETRY_AFTER_MAX_MS)
        throw outcome.error;
      const waitMs = Math.max(outcome.retryAfterMs, retryDelayMs * 2 ** (attempt - 1));
      await delay(waitMs, undefined, { signal: this.#closed.signal }).catch(() => undefined);
    }
  }

  /** One attempt: the parsed answer, or why it may be worth another. Throws what no retry cures. */
  async #post(body: string): Promise<{ answer: unknown } | Retriable> {
    if (this.#closed.signal.aborted) throw new EmbedderUnavailable("the embedder is closed");
    const { apiKey, timeoutMs = TIMEOUT_MS } = this.#options;
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(timeoutMs)]),
      });
      if (response.ok) return { answer: parsed(await boundedText(response)) };
      await response.body?.cancel();
      const refusal = `${this.#url} answered ${response.status}`;
      if (!isTransient(response.status)) throw new EmbedderRejected(refusal);
      const retryAfterMs = 1_000 * Number(response.headers.get("retry-after") ?? 0) || 0;
      return { error: new EmbedderUnavailable(refusal), retryAfterMs };
    } catch (error) {
      if (error instanceof EmbedderRejected) throw error;
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const unavailable = new EmbedderUnavailable(`${this.#url}: ${reason}`, { cause: error });
      return { error: unavailable, retryAfterMs: 0 };
    }
  }
}

interface Retriable {
  readonly error: EmbedderUnavailable;
  readonly retryAfterMs: number;
}

function embeddingsUrl(baseUrl: string): string {
  const url = URL.parse(`${baseUrl.replace(/\/+$/, "")}/embeddings`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new EmbedderRejected(`embedder: ${baseUrl} is not an http or https address`);
  }
  return url.href;
}

function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new EmbedderRejected("the endpoint's answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new EmbedderRejected("the endpoint's answer is not JSON");
  }
}

/** Vectors in the order of the texts; endpoints may list them in any order, by `index`. */
function vectorsOf(answer: unknown, count: number, dimensions: number): Float32Array[] {
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data) || data.length !== count) {
    throw new EmbedderRejected(`the endpoint's answer has no "data" with ${count} entries`);
  }
  const vectors: (Float32Array | undefined)[] = data.map(() => undefined);
  data.forEach((entry: unknown, position) => {
    const { embedding, index = position } = (entry ?? {}) as Record<string, unknown>;
    if (!Array.isArray(embedding) || typeof index !== "number" || !(index in vectors)) {
      throw new EmbedderRejected(`the endpoint's answer has no embedding at data[${position}]`);
    }
    vectors[index] = unitVector(embedding, dimensions);
  });
  const complete = vectors.filter((vector) => vector !== undefined);
  if (complete.length === count) return complete;
  throw new EmbedderRejected("the endpoint's answer names an index twice");
}
