import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Publisher } from "./publisher.ts";
import { encodeShiftJis } from "./shift-jis.ts";

/** Something to answer with. `body` is called only where the client does not have it already. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  /** Names this exact content; the entity tag is made of it. */
  readonly version: string;
  readonly lastModifiedMs: number;
  readonly maxAgeSeconds: number;
  body(): Buffer | Promise<Buffer>;
}

/** A text in the publisher's charset, versioned by its own content. */
export function textAnswer(
  charset: Publisher["charset"],
  mediaType: string,
  text: string,
  lastModifiedMs: number,
  status = 200,
): Answer {
  const body = charset === "shift_jis" ? encodeShiftJis(text) : Buffer.from(text);
  return {
    status,
    contentType: `${mediaType}; charset=${charset === "shift_jis" ? "Shift_JIS" : "utf-8"}`,
    version: text,
    lastModifiedMs,
    maxAgeSeconds: 0,
    body: () => body,
  };
}

/** Sends the answer, or 304 where the client's copy is current (RFC 9110, section 13.2.2). */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): Promise<void> {
  const etag = `"${createHash("sha1").update(answer.version).digest("base64url")}"`;
  response.setHeader("ETag", etag);
  response.setHeader("Last-Modified", new Date(answer.lastModifiedMs).toUTCString());
  response.setHeader("Cache-Control", `public, max-age=${answer.maxAgeSeconds}`);
  if (answer.status === 200 && isCurrent(request, etag, answer.lastModifiedMs)) {
    response.writeHead(304).end();
    return;
  }
  const body = await answer.body();
  response.setHeader("Content-Type", answer.contentType);
  response.setHeader("Content-Length", body.byteLength);
  response.writeHead(answer.status);
  response.end(request.method === "HEAD" ? undefined : body);
}

function isCurrent(request: IncomingMessage, etag: string, lastModifiedMs: number): boolean {
  const tags = request.headers["if-none-match"];
  // If-Modified-Since counts only where there is no If-None-Match (RFC 9110, section 13.1.3).
  if (tags !== undefined) {
    return tags
      .split(",")
      .some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");
  }
  const since = Date.parse(request.headers["if-modified-since"] ?? "");
  return Number.isFinite(since) && Math.floor(lastModifiedMs / 1000) * 1000 <= since;
}
