import { readFileSync } from "node:fs";
import { PROBLEM_TYPES } from "@feed/http-api/problem-types";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "./client.ts";
import { ClientUsageError } from "./errors.ts";
import { ROUTES } from "./openapi.generated.ts";
import { ProblemError, problemError } from "./problems.ts";
import { hastyClient, openAnswering, problem } from "./testing/answering.fixture.ts";
import { VERSION } from "./version.ts";

const OPTIONS = { baseUrl: "https://feed.example", apiKey: "cf_live_test" };

describe("The client", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ["a page", { document: {} }],
    ["a worker of a browser", { importScripts: () => undefined }],
    ["React Native", { navigator: { product: "ReactNative" } }],
  ])("refuses to start in %s, which must not hold the key", (_, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    expect(() => createClient(OPTIONS)).toThrow(/must stay on a server/);
    vi.unstubAllGlobals();
    expect(() => createClient(OPTIONS)).not.toThrow();
  });

  it.each([
    ["no key", { apiKey: "" }],
    ["a key with a line break", { apiKey: "cf_live_test\n" }],
    ["no address", { baseUrl: "feed.example" }],
    ["another protocol", { baseUrl: "ftp://feed.example" }],
    ["an address with a password", { baseUrl: "https://me:secret@feed.example" }],
    ["an address with a query", { baseUrl: "https://feed.example/?key=1" }],
    ["a time-out of 0", { timeoutMs: 0 }],
    ["negative retries", { retriesMax: -1 }],
  ])("refuses %s", (_, options) => {
    expect(() => createClient({ ...OPTIONS, ...options })).toThrow(ClientUsageError);
  });

  it("has a method for every operation of the OpenAPI document that a key opens", async () => {
    await using server = await openAnswering(() => ({
      json: { data: [], meta: { next_cursor: null } },
    }));
    const called = new Set<string>();
    const { client } = hastyClient({
      ...server,
      onAnswer: ({ operation }) => called.add(operation),
    });
    await client.feed();
    await client.content("c");
    await client.sendEvents([]);
    await client.sources();
    await client.areas({ q: "x" });
    await client.usage();
    const { users, push } = client;
    const ofUsers = [users.get("u"), users.put("u", {}), users.patch("u", {}), users.delete("u")];
    await Promise.all([...ofUsers, users.list()]);
    const preferences = [users.follow, users.unfollow, users.block, users.unblock];
    for (const change of preferences) await change.call(users, "u", "s");
    await push.start({ scenario: "daily" });
    await push.list();
    await Promise.all([push.get("j"), push.cancel("j")]);
    expect([...called].sort()).toEqual(Object.keys(ROUTES).sort());
  });

  it("names its own version", () => {
    const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION);
  });
});

describe("Every problem type of the service", () => {
  it.each(Object.entries(PROBLEM_TYPES))("%s is an error of its own", (slug, { status }) => {
    const facts = { status, requestId: undefined, retryAfterMs: undefined };
    const error = problemError(problem(slug, status), facts);
    const words = slug.split("-").map((word) => word[0]!.toUpperCase() + word.slice(1));
    expect(error.name).toBe(`${words.join("")}Error`);
    expect(error.constructor).not.toBe(ProblemError);
    expect(error.slug).toBe(slug);
  });
});
