import { connect } from "node:net";
import { faultsOfAnswer } from "./answer-check.ts";
import type { Installation } from "./installation.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** As it is, instead of JSON of `body`. */
  readonly rawBody?: BodyInit;
}

/**
 * One request; with the key of tenant `one` unless told otherwise. Whatever the answer, it must be one
 * that the OpenAPI document describes.
 *
 * @throws when it is not.
 */
export async function call(
  installation: Pick<Installation, "baseUrl" | "keys">,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { key = installation.keys.one, body, rawBody } = options;
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${installation.baseUrl}${path}`, {
    method,
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { "Content-Type": "application/json" }),
      ...options.headers,
    },
    ...(payload !== undefined && { body: payload, duplex: "half" }),
  } as RequestInit);
  const text = await response.text();
  const isJson = /\/(?:problem\+)?json\b/.test(response.headers.get("content-type") ?? "");
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  const answer = { status: response.status, headers: response.headers, text, json };
  const faults = faultsOfAnswer(method, path, answer);
  if (faults.length > 0) throw new Error(`${method} ${path}: ${faults.join("; ")}`);
  return answer;
}

/** Sends bytes as they are and collects what comes until the server closes. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
  });
}
