import { BlockList, isIP, isIPv6 } from "node:net";

/** Tells the address a request comes from. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

const UNKNOWN = "unknown";
/** Entries of X-Forwarded-For that are looked at, from the right. */
const HOPS_MAX = 10;

/**
 * The nearest address that is no trusted proxy: the peer, else `X-Forwarded-For` from the right. What
 * lies beyond an untrusted address may be invented by it. IPv6 addresses count as their /64, which one
 * caller can own.
 *
 * @param trustedProxies addresses or ranges in CIDR notation.
 * @throws RangeError for an entry that is neither.
 */
export function clientAddressOf(trustedProxies: readonly string[]): ClientAddress {
  const trusted = blockList(trustedProxies);
  const isTrusted = (address: string) => trusted.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  return (peer, forwardedFor) => {
    let address = normalised(peer ?? "");
    if (address === undefined) return UNKNOWN;
    const hops = forwardedFor?.split(",").reverse().slice(0, HOPS_MAX) ?? [];
    for (const hop of hops) {
      if (!isTrusted(address)) break;
      const next = normalised(hop.trim());
      if (next === undefined) break;
      address = next;
    }
    return isIPv6(address) ? network64(address) : address;
  };
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix);
    const isRange = family !== 0 && Number.isInteger(bits) && bits >= 0;
    if (!isRange) throw new RangeError(`"${range}" is no address and no CIDR range`);
    list.addSubnet(address, bits, family === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

function normalised(text: string): string | undefined {
  const address = text.startsWith("::ffff:") && isIP(text.slice(7)) === 4 ? text.slice(7) : text;
  return isIP(address) === 0 ? undefined : address;
}

function network64(address: string): string {
  const [head = "", tail = ""] = address.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = address.includes("::") ? [...left, ...zeros, ...right] : left;
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
