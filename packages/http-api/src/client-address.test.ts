import { describe, expect, it } from "vitest";
import { clientAddressOf } from "./client-address.ts";

describe("decisions: which proxies are trusted for the address is configuration", () => {
  const addressOf = clientAddressOf(["10.0.0.0/8", "2001:db8::1"]);

  it.each([
    ["the peer, where it is no proxy", "203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["what a proxy says", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    [
      "the last hop that is no proxy",
      "10.1.2.3",
      "1.1.1.1, 198.51.100.1, 10.9.9.9",
      "198.51.100.1",
    ],
    ["the proxy, where it says nothing", "10.1.2.3", undefined, "10.1.2.3"],
    ["the proxy, where it says nonsense", "10.1.2.3", "unknown", "10.1.2.3"],
    ["IPv4 written as IPv6", "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["the /64 of IPv6", "2001:db8::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["the same for a short form", "2001:db8:0:0:ffff::9", undefined, "2001:db8:0:0::/64"],
    ["a closed socket", undefined, undefined, "unknown"],
  ])("takes %s", (_, peer, forwarded, expected) => {
    expect(addressOf(peer, forwarded)).toBe(expected);
  });

  it("refuses a proxy that is no address", () => {
    expect(() => clientAddressOf(["proxy.example"])).toThrow(RangeError);
    expect(() => clientAddressOf(["10.0.0.0/99"])).toThrow(RangeError);
  });
});
