import { describe, expect, it } from "vitest";
import { assertPublicUrl } from "./address-guard.ts";
import { FetchError } from "./fetch-error.ts";

const OWN = "http://127.0.0.1:8790";

function codeFor(address: string): string {
  try {
    assertPublicUrl(new URL(address), new Set([OWN]));
    return "allowed";
  } catch (error) {
    return error instanceof FetchError ? error.code : String(error);
  }
}

describe("an address from outside is refused", () => {
  it.each([
    ["loopback", "http://127.0.0.1/"],
    ["loopback with a port", "http://127.0.0.1:9200/"],
    ["all of 127/8", "http://127.255.255.254/"],
    ["loopback as one number", "http://2130706433/"],
    ["loopback in hexadecimal", "http://0x7f.1/"],
    ["loopback in octal", "http://017700000001/"],
    ["loopback cut short", "http://127.1/"],
    ["loopback in circled digits", "http://①②⑦.⓪.⓪.①/"],
    ["loopback in full-width digits", "http://１２７.０.０.１/"],
    ["loopback, percent-encoded", "http://%31%32%37.0.0.1/"],
    ["loopback with a trailing dot", "http://127.0.0.1./"],
    ["this network", "http://0.0.0.0/"],
    ["this network, shortest", "http://0/"],
    ["private 10/8", "http://10.0.0.1/"],
    ["private 172.16/12, first", "http://172.16.0.1/"],
    ["private 172.16/12, last", "http://172.31.255.255/"],
    ["private 192.168/16", "http://192.168.1.1/"],
    ["link-local, the metadata service", "http://169.254.169.254/latest/meta-data"],
    ["carrier-grade NAT", "http://100.64.0.1/"],
    ["protocol assignments", "http://192.0.0.8/"],
    ["documentation", "http://192.0.2.1/"],
    ["documentation 3", "http://203.0.113.7/"],
    ["6to4 relay", "http://192.88.99.1/"],
    ["benchmarking", "http://198.18.0.1/"],
    ["multicast", "http://224.0.0.1/"],
    ["reserved", "http://240.0.0.1/"],
    ["broadcast", "http://255.255.255.255/"],
    ["IPv6 loopback", "http://[::1]/"],
    ["IPv6 loopback in full", "http://[0:0:0:0:0:0:0:1]/"],
    ["IPv6 unspecified", "http://[::]/"],
    ["IPv4-mapped loopback", "http://[::ffff:127.0.0.1]/"],
    ["IPv4-mapped metadata service", "http://[::ffff:169.254.169.254]/"],
    ["IPv4-mapped in hexadecimal", "http://[::ffff:7f00:1]/"],
    ["IPv4-compatible", "http://[::10.0.0.1]/"],
    ["IPv4-compatible in hexadecimal", "http://[::a00:1]/"],
    ["IPv4-compatible, public", "http://[::8.8.8.8]/"],
    ["NAT64 to loopback", "http://[64:ff9b::7f00:1]/"],
    ["NAT64, local", "http://[64:ff9b:1::1]/"],
    ["6to4 to loopback", "http://[2002:7f00:1::]/"],
    ["Teredo", "http://[2001:0:1::1]/"],
    ["IPv6 link-local", "http://[fe80::1]/"],
    ["IPv6 site-local", "http://[fec0::1]/"],
    ["IPv6 unique local", "http://[fd00:ec2::254]/"],
    ["IPv6 multicast", "http://[ff02::1]/"],
    ["IPv6 documentation", "http://[2001:db8::1]/"],
    ["IPv6 discard", "http://[100::1]/"],
    ["localhost", "http://localhost/"],
    ["localhost with a trailing dot", "http://localhost./"],
    ["localhost in capitals", "http://LOCALHOST/"],
    ["a name below localhost", "http://api.localhost/"],
    ["a name without a dot", "http://intranet/"],
    ["a name of the local network", "http://printer.local/"],
    ["an internal name", "http://metadata.google.internal/"],
    ["a home network's name", "http://nas.home.arpa/"],
    ["a name with a trailing dot", "http://publisher.example./"],
    ["another port of an own site", "http://127.0.0.1:8791/"],
    ["another scheme of an own site", "https://127.0.0.1:8790/"],
    ["another name of an own site", "http://localhost:8790/"],
  ])("because it is %s", (_what, address) => {
    expect(codeFor(address)).toBe("blocked-address");
  });

  it.each([
    ["a file", "file:///etc/passwd"],
    ["another scheme", "ftp://publisher.example/feed"],
    ["a data address", "data:text/html,hello"],
    ["a user name", "http://user@publisher.example/"],
    ["a user name and password", "http://user:secret@publisher.example/"],
    ["more than 2,048 characters", `http://publisher.example/${"a".repeat(2_048)}`],
  ])("because it has or is %s", (_what, address) => {
    expect(codeFor(address)).toBe("bad-url");
  });
});

describe("an address from outside is allowed", () => {
  it.each([
    ["a name", "https://publisher.example/feed.xml"],
    ["a name with a port", "http://publisher.example:8080/feed.xml"],
    ["an international name", "https://ニュース.example/"],
    ["a public IPv4 address", "http://93.184.216.34/"],
    ["a public IPv6 address", "http://[2606:4700::1111]/"],
    ["172.32, just beyond the private range", "http://172.32.0.1/"],
    ["the exact origin of an own site", `${OWN}/feed.xml`],
  ])("when it is %s", (_what, address) => {
    expect(codeFor(address)).toBe("allowed");
  });
});
