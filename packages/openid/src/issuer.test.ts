import { describe, expect, it } from "vitest";
import { issuerFault, mayBeAsked } from "./issuer.ts";

describe("An issuer", () => {
  it.each([
    "https://accounts.example.com",
    "https://id.example/realms/staff",
    "http://localhost:9000",
    "http://127.0.0.1:9000",
    "http://[::1]:9000/",
  ])("is %s", (text) => {
    expect(issuerFault(text)).toBeUndefined();
  });

  it.each([
    ["accounts.example.com", "must be an https address"],
    ["ftp://id.example", "must be an https address"],
    ["http://id.example", "must be an https address: http is for loopback alone"],
    ["http://localhost.id.example", "must be an https address: http is for loopback alone"],
    ["https://id.example/?a=b", "must have neither query nor fragment nor password"],
    ["https://me:secret@id.example", "must have neither query nor fragment nor password"],
  ])("%s %s", (text, fault) => {
    expect(issuerFault(text)).toBe(fault);
  });
});

describe("A provider is asked without TLS", () => {
  it.each([
    ["http://localhost:1", "http://127.0.0.1:2/token", true],
    ["http://localhost:1", "http://id.example/token", false],
    ["https://id.example", "http://localhost:2/token", false],
    ["https://id.example", "https://keys.example/", true],
  ])("by the issuer %s at %s: %s", (issuer, address, may) => {
    expect(mayBeAsked(new URL(issuer), new URL(address))).toBe(may);
  });
});
