import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { URL_CHARS_MAX } from "./limits.ts";
import { FetchError } from "./fetch-error.ts";

/** `::a.b.c.d`, deprecated by RFC 4291: some stacks reach the IPv4 address with it. */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");
/** Names that mean this machine or its network whatever a resolver answers (RFC 6761, RFC 6762, RFC 8375). */
const INNER_NAME = /(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/;

/** Whether an address in text form is one of the public internet: global unicast and nothing else. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.match(IPV4_COMPATIBLE)) return false;
  return parsed.range() === "unicast";
}

/** @throws FetchError `bad-url` for what is no http or https address of a sane length without credentials */
export function assertWebUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchError("bad-url", `not an http address: ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new FetchError("bad-url", `an address with credentials on ${url.host}`);
  if (url.href.length > URL_CHARS_MAX)
    throw new FetchError("bad-url", `an address of more than ${URL_CHARS_MAX} characters`);
}

/**
 * Checks all of an address that can be checked without resolving its name. `URL` has folded the
 * many spellings of an IPv4 address (`2130706433`, `0x7f.1`) before.
 *
 * @throws FetchError `bad-url` or `blocked-address`
 */
export function assertPublicUrl(url: URL, allowedOrigins: ReadonlySet<string>): void {
  assertWebUrl(url);
  if (allowedOrigins.has(url.origin)) return;
  if (!isPublicHost(url.hostname))
    throw new FetchError("blocked-address", `${url.host} is not on the public internet`);
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isPublicAddress(host);
  // A single label is a name of the local network; a trailing dot is a second spelling that caches
  // would not know.
  return host.includes(".") && !host.endsWith(".") && !INNER_NAME.test(host);
}
