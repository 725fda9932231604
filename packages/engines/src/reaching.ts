import { connect as connectTls } from "node:tls";
import type { EngineUrls } from "./engine-urls.ts";
import { doorOf, type Door } from "./doors.ts";

const TIMEOUT_MS = 10_000;
const HANDSHAKE_TIMEOUT_MS = 2_000;
/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host's name can't be looked up",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is of another host",
};

/**
 * Connects to every engine that is named and asks it something that changes nothing.
 *
 * @returns a line for each that can't be used, which begins with its variable and does not repeat the URL.
 */
export async function engineFailures(
  urls: EngineUrls,
  variables: Readonly<Record<keyof EngineUrls, string>>,
): Promise<readonly string[]> {
  const named = (Object.keys(variables) as (keyof EngineUrls)[]).filter(
    (name) => urls[name] !== undefined,
  );
  const failures = named.map(async (name) => {
    const door = await doorOf[name](urls[name] ?? "");
    const reason = await failureAt(door);
    return reason === undefined ? [] : [`${variables[name]} ${door.place}: ${reason}`];
  });
  return (await Promise.all(failures)).flat();
}

async function failureAt(door: Door): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const late = Promise.withResolvers<never>();
  signal.addEventListener("abort", () =>
    late.reject(new Error(`no answer for ${TIMEOUT_MS / 1_000} seconds`)),
  );
  try {
    await Promise.race([door.ask(signal), late.promise]);
    return undefined;
  } catch (error) {
    return reasonOf(error, door);
  }
}

async function reasonOf(error: unknown, { host, port, isTls }: Door): Promise<string> {
  const chain = chainOf(error);
  const codes = chain.map((link) => String((link as NodeJS.ErrnoException).code));
  if (codes.some((code) => UNKNOWN_AUTHORITY.has(code)) || chain.some(isOfUnknownAuthority))
    return (
      "its certificate is not of an authority known here: " +
      "name the authority's file in NODE_EXTRA_CA_CERTS"
    );
  const known = codes.map((code) => REASONS[code]).find((reason) => reason !== undefined);
  if (known !== undefined) return known;
  // Who speaks differently is answered by silence, an end, or bytes that mean nothing: the clients' words don't tell.
  const speaks = await speaksTls(host, port);
  if (speaks === true && !isTls) return "it speaks TLS there: use the address with TLS";
  if (speaks === false && isTls) return "it does not speak TLS there: use the address without TLS";
  return chain.at(-1)?.message.replaceAll(/\s+/g, " ") ?? String(error);
}

/** Some clients keep the words of an error and not its code. */
function isOfUnknownAuthority({ message }: Error): boolean {
  return /self-signed certificate|unable to (?:get|verify)[a-z ]* (?:issuer|first) certificate/.test(
    message,
  );
}

/** The error and what caused it, from the outside in. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let link = error; link instanceof Error && !chain.includes(link); link = link.cause)
    chain.push(link);
  return chain;
}

/** Undefined where nobody can be connected to. */
function speaksTls(host: string, port: number): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    let isConnected = false;
    const end = (speaks: boolean) => {
      socket.destroy();
      resolve(isConnected ? speaks : undefined);
    };
    // Whom it belongs to is not asked: nothing is sent.
    const socket = connectTls({ host, port, rejectUnauthorized: false }, () => end(true));
    socket.once("connect", () => (isConnected = true));
    socket.setTimeout(HANDSHAKE_TIMEOUT_MS, () => end(false));
    socket.once("error", () => end(false));
  });
}
