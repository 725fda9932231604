import { freePort } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { AnswerError, ClientUsageError, ConnectionError, TimeoutError } from "./errors.ts";
import { RateLimitError, UnavailableError, ValidationError } from "./problems.ts";
import { hastyClient, openAnswering, problem, type Script } from "./testing/answering.fixture.ts";

const PAGE = { data: [], meta: { next_cursor: null, resolved_areas: null } };
const FIRST_FAILS =
  (failure: ReturnType<Script>): Script =>
  (_, index) =>
    index === 0 ? failure : { json: PAGE };
const hangUp: ReturnType<Script> = (response) => void response.destroy();

describe("A call", () => {
  it("carries the key, a request id, and percent-encoded parameters", async () => {
    await using server = await openAnswering(() => ({ json: PAGE }));
    const { client } = hastyClient({ baseUrl: `${server.baseUrl}/behind/a/prefix/` });
    await client.feed({ user_id: "a|b+c@d=", area_names: ["渋谷", "新宿区"], include_body: true });
    const [asked] = server.asked;
    const url = new URL(asked!.path, server.baseUrl);
    expect(asked!.path).toMatch(/^[\x21-\x7e]+$/);
    expect(url.pathname).toBe("/behind/a/prefix/v1/feed");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      user_id: "a|b+c@d=",
      area_names: "渋谷,新宿区",
      include_body: "true",
    });
    expect(asked!.headers).toMatchObject({
      authorization: "Bearer cf_live_test",
      "user-agent": expect.stringMatching(/^content-feed-client\/\d/),
      "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it.each([".", "..", ""])(
    "is refused for the user id %j, which no address can hold",
    async (id) => {
      await using server = await openAnswering(() => ({}));
      const { client } = hastyClient(server);
      await expect(client.users.delete(id)).rejects.toThrow(ClientUsageError);
      expect(server.asked).toEqual([]);
    },
  );

  it("takes the key to no other address", async () => {
    await using elsewhere = await openAnswering(() => ({ json: PAGE }));
    await using server = await openAnswering(() => ({
      status: 307,
      headers: { location: `${elsewhere.baseUrl}/v1/feed` },
    }));
    await expect(hastyClient(server).client.feed()).rejects.toThrow(/unexpected answer 307/);
    expect(elsewhere.asked).toEqual([]);
  });

  it("tells of every answer: what it cost, and what the limit leaves", async () => {
    const headers = {
      "x-request-id": "r-1",
      "x-credits-used": "1.0",
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "99",
      "x-ratelimit-reset": "1795255200",
    };
    const failure = { status: 503, json: problem("unavailable", 503) };
    await using server = await openAnswering((_, index) =>
      index === 0 ? failure : { json: PAGE, headers },
    );
    const told: unknown[] = [];
    const { client } = hastyClient({ ...server, onAnswer: (answer) => told.push(answer) });
    await client.feed();
    expect(told).toMatchObject([
      { operation: "getFeed", attempt: 1, status: 503, creditsUsed: undefined },
      {
        operation: "getFeed",
        attempt: 2,
        status: 200,
        requestId: "r-1",
        creditsUsed: 1,
        rateLimit: { limit: 100, remaining: 99, resetsAtMs: 1795255200_000 },
      },
    ]);
  });
});

describe("What fails in passing is tried again", () => {
  it.each<[string, ReturnType<Script>]>([
    ["429", { status: 429, json: problem("rate-limit", 429) }],
    ["500", { status: 500, json: problem("internal", 500) }],
    ["502 of a proxy", { status: 502, text: "<h1>Bad Gateway</h1>" }],
    ["503", { status: 503, json: problem("unavailable", 503) }],
    ["504 of a proxy", { status: 504, text: "" }],
    ["a connection that breaks", hangUp],
    [
      "a body that is cut",
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "99" });
        response.write("{", () => response.destroy());
      },
    ],
  ])("after %s", async (_, failure) => {
    await using server = await openAnswering(FIRST_FAILS(failure));
    const { client, waits } = hastyClient(server);
    expect(await client.feed()).toEqual(PAGE);
    expect(waits).toEqual([125]);
  });

  it("after a time-out", async () => {
    await using server = await openAnswering(FIRST_FAILS(() => undefined));
    const { client } = hastyClient({ ...server, timeoutMs: 1_000 });
    expect(await client.feed()).toEqual(PAGE);
  });

  it("with full jitter below bounds that double, three times", async () => {
    await using server = await openAnswering(() => ({
      status: 500,
      json: problem("internal", 500),
    }));
    const { client, waits } = hastyClient(server, { random: 0.999 });
    await expect(client.feed()).rejects.toThrow("internal: Because.");
    expect(waits).toEqual([249.75, 499.5, 999]);
    expect(server.asked).toHaveLength(4);
    const patient = hastyClient({ ...server, retriesMax: 9 }, { random: 0.999 });
    await expect(patient.client.feed()).rejects.toThrow("internal");
    expect(Math.max(...patient.waits)).toBe(7_992);
  });

  it("never before Retry-After, in seconds or as a date", async () => {
    const nowMs = Date.UTC(2026, 10, 21);
    for (const after of ["7", new Date(nowMs + 7_000).toUTCString()]) {
      const headers = { "retry-after": after };
      await using server = await openAnswering(
        FIRST_FAILS({ status: 429, headers, json: problem("rate-limit", 429) }),
      );
      const { client, waits } = hastyClient(server, { nowMs: () => nowMs });
      await client.feed();
      expect(waits).toEqual([7_125]);
    }
  });

  it("unless it asks for more than a minute", async () => {
    const headers = { "retry-after": "61" };
    await using server = await openAnswering(
      FIRST_FAILS({ status: 429, headers, json: problem("rate-limit", 429) }),
    );
    const error = await hastyClient(server)
      .client.feed()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, slug: "rate-limit", retryAfterMs: 61_000 });
    expect(server.asked).toHaveLength(1);
  });

  it.each([400, 401, 402, 403, 404, 409, 413, 415, 422])("but never after %i", async (status) => {
    await using server = await openAnswering(() => ({ status, json: problem("x", status) }));
    await expect(hastyClient(server).client.feed()).rejects.toMatchObject({ status });
    expect(server.asked).toHaveLength(1);
  });

  it("also after 409 where the first request with the key still runs", async () => {
    const headers = { "retry-after": "1" };
    await using server = await openAnswering((_, index) =>
      index === 0
        ? { status: 409, headers, json: problem("conflict", 409) }
        : { status: 202, json: { data: { accepted: 1 } } },
    );
    const { client } = hastyClient(server);
    await client.sendEvents([{ type: "click" }]);
    expect(server.asked).toHaveLength(2);
  });
});

describe("An idempotency key", () => {
  const accepted = { status: 202, json: { data: { accepted: 1 } } };

  it("is the same in each repetition of a POST, and another in each call", async () => {
    await using server = await openAnswering((_, index) => (index === 0 ? hangUp : accepted));
    const { client } = hastyClient(server);
    await client.sendEvents([{ type: "click" }]);
    await client.sendEvents([{ type: "click" }]);
    const keys = server.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("is the caller's where one is given, and goes with no other method", async () => {
    await using server = await openAnswering((asked) =>
      asked.method === "POST" ? accepted : { json: PAGE },
    );
    const { client } = hastyClient(server);
    await client.sendEvents([{ type: "click" }], { idempotencyKey: "mine" });
    await client.feed();
    expect(server.asked.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "mine",
      undefined,
    ]);
  });
});

describe("A call that has no answer", () => {
  it("says that the time is over", async () => {
    await using server = await openAnswering(() => () => undefined);
    const { client } = hastyClient({ ...server, timeoutMs: 30, retriesMax: 0 });
    await expect(client.feed()).rejects.toThrow(TimeoutError);
  });

  it("is over in time also when the body never ends", async () => {
    await using server = await openAnswering(() => (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("{");
    });
    const { client } = hastyClient({ ...server, timeoutMs: 50, retriesMax: 0 });
    await expect(client.feed()).rejects.toThrow(TimeoutError);
  });

  it("says why the address could not be reached", async () => {
    // Not one that was given back: the system may give it to whoever listens or connects next.
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const { client } = hastyClient({ baseUrl, retriesMax: 1 });
    await expect(client.feed()).rejects.toThrow(ConnectionError);
    await expect(client.feed()).rejects.toThrow("ECONNREFUSED");
  });

  it("ends with its signal, in an attempt and between attempts", async () => {
    await using server = await openAnswering(() => () => aborting.abort(new Error("enough")));
    const aborting = new AbortController();
    const { client } = hastyClient(server);
    await expect(client.feed({}, { signal: aborting.signal })).rejects.toThrow("enough");
    await expect(client.feed({}, { signal: aborting.signal })).rejects.toThrow("enough");
    expect(server.asked).toHaveLength(1);
    await using failing = await openAnswering(() => ({
      status: 500,
      json: problem("internal", 500),
    }));
    const waiting = new AbortController();
    const real = createClient({
      ...failing,
      apiKey: "k",
      onAnswer: () => waiting.abort(new Error("stop")),
    });
    await expect(real.feed({}, { signal: waiting.signal })).rejects.toThrow("stop");
  });
});

describe("A problem document", () => {
  it("is an error of its own class, with every fault", async () => {
    const errors = [{ pointer: "query:limit", detail: "must be <= 100" }];
    await using server = await openAnswering(() => ({
      status: 400,
      headers: { "x-request-id": "r-1" },
      json: problem("validation", 400, { errors }),
    }));
    const error = await hastyClient(server)
      .client.feed()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 400, requestId: "r-1", errors, slug: "validation" });
  });

  it("of a type that is not known is a ProblemError all the same", async () => {
    await using server = await openAnswering(() => ({ status: 418, json: problem("teapot", 418) }));
    const error = await hastyClient(server)
      .client.feed()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ProblemError", slug: "teapot", status: 418 });
  });

  it("is not made of what is none", async () => {
    await using server = await openAnswering((_, index) =>
      index === 0
        ? { status: 403, text: "<h1>blocked by a\nfirewall</h1>" }
        : { text: "<p>hello</p>" },
    );
    const { client } = hastyClient(server);
    await expect(client.feed()).rejects.toThrow(
      new AnswerError("unexpected answer 403 (text/html): <h1>blocked by a firewall</h1>", {
        status: 403,
        requestId: undefined,
        retryAfterMs: undefined,
      }),
    );
    await expect(client.feed()).rejects.toThrow("unexpected answer 200 (text/html): <p>hello</p>");
  });

  it("of 503 keeps what it asked to wait when nothing helped", async () => {
    await using server = await openAnswering(() => ({
      status: 503,
      headers: { "retry-after": "2" },
      json: problem("unavailable", 503),
    }));
    const error = await hastyClient(server)
      .client.feed()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ retryAfterMs: 2_000 });
  });
});
