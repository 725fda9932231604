import type { CustomFetch } from "openid-client";
import { mayBeAsked } from "./issuer.ts";
import { ProviderAway } from "./port.ts";

/** Metadata, keys and tokens of the large providers have a few kilobytes. */
const ANSWER_BYTES_MAX = 512 * 1024;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERRORS_FROM = 500;

/**
 * Requests to the provider of an issuer, with the time-out of the signal they come with, also for the body.
 *
 * Errors: ProviderAway.
 */
export function boundedFetch(issuer: URL): CustomFetch {
  return async (address, { body, ...options }) => {
    const url = new URL(address);
    if (!mayBeAsked(issuer, url)) throw new ProviderAway(`${url.origin} is not asked without TLS`);
    try {
      const asked = body === undefined || body === null ? options : { ...options, body };
      const answer = await fetch(url, asked as RequestInit);
      const { status, headers } = answer;
      if (status >= SERVER_ERRORS_FROM || status === TOO_MANY_REQUESTS) {
        await answer.body?.cancel();
        throw new ProviderAway(`${url.origin} answered ${status}`);
      }
      const bytes = await bytesOf(answer);
      return new Response(bytes.length === 0 ? null : bytes, { status, headers });
    } catch (error) {
      if (error instanceof ProviderAway) throw error;
      throw new ProviderAway(`${url.origin}: ${reasonOf(error)}`, { cause: error });
    }
  };
}

async function bytesOf({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX)
      throw new Error(`an answer has more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What lies at the bottom of "fetch failed"; where several addresses were tried, it has a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return error.message || String((error as NodeJS.ErrnoException).code);
}
