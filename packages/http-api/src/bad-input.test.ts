import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationsOf, readOpenapiDocument } from "./openapi-document.ts";
import { call, exchange } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

/**
 * Goal: whatever is sent, the answer is one the document describes, and never 500. Method: random requests,
 * shaped so that many get past the first checks; a failing seed is printed and replays.
 */
let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const RUNS = { numRuns: 150 };
const operations = operationsOf(readOpenapiDocument());
const odd = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "%", "%E0%A4%A", "%00", "%2F", "..", "%F0%9F%98%80", "__proto__", "0"),
);
const oddValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: "binary" }));
/** Objects with the API's own names and anything as values. */
const named = (...names: readonly string[]) =>
  fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), oddValue, { maxKeys: 6 });

const keyFor = (needs: string) => (needs === "adminToken" ? ADMIN_TOKEN : installation.keys.one);
const escaped = (text: string) => encodeURI(text.toWellFormed()).replaceAll(/[?#\\]/g, "");

describe("bad input: a problem document, never a 500", () => {
  it("in paths and queries", async () => {
    const operation = fc.constantFrom(...operations);
    const pairs = fc.array(fc.tuple(fc.nat(10), odd), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(operation, odd, pairs, async (one, text, query) => {
        const path = one.path.replace(/\{[^}]+\}/g, () => escaped(text));
        const names = [...one.parameters.map(({ name }) => name), "other"];
        const search = query.map(([at, value]) => `${names[at % names.length]}=${escaped(value)}`);
        const answer = await call(installation, one.method, `${path}?${search.join("&")}`, {
          key: keyFor(one.needs),
          headers: { "X-Forwarded-For": "203.0.113.9" },
        });
        expect(answer.status).not.toBe(500);
      }),
      RUNS,
    );
  });

  it("in bodies", async () => {
    const event = named(
      "type",
      "user_id",
      "session_id",
      "occurred_at",
      "metadata",
      "tracking_token",
      "event_id",
    );
    const fields = { type: fc.constantFrom("login", "click", "session_start") };
    const typed = fc.tuple(event, fc.record(fields)).map(([one, two]) => ({ ...one, ...two }));
    const bodies = fc.oneof(
      oddValue,
      fc.record({ events: fc.array(fc.oneof(event, typed), { maxLength: 5 }) }),
      fc.record({ properties: named("area_names", "language", "interests", "registered_at") }),
      named("name", "plan", "credits", "licence", "type", "settings", "scopes", "expires_at"),
    );
    const withBody = operations.filter(({ bodyPointer }) => bodyPointer !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...withBody), bodies, async (one, body) => {
        const path = one.path
          .replace(/\{[^}]+\}/g, "source-1")
          .replace("tenants/source-1", "tenants/one");
        const answer = await call(installation, one.method, path, { key: keyFor(one.needs), body });
        expect(answer.status).not.toBe(500);
      }),
      RUNS,
    );
  });

  it("in the bytes of a request", async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.boolean(), async (noise, inHeader) => {
        const head = "GET /v1/feed HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
        const start = inHeader ? `${head}X-Odd: ` : "GET /v1/feed?";
        const end = inHeader ? "\r\n\r\n" : ` HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
        const raw = await exchange(
          installation.port,
          Buffer.concat([Buffer.from(start), noise, Buffer.from(end)]),
        );
        const status = Number(raw.split(" ")[1]);
        expect([400, 401, 404, 405, 408, 429]).toContain(status);
      }),
      RUNS,
    );
  });
});
