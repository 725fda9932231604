import type { RequestListener } from "node:http";
import { serveSite, type HttpSite } from "@feed/test-kit/http-site";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readSchemaFolder } from "./bundled.ts";
import { openConfluentRegistry } from "./confluent.ts";
import { SchemaRegistryUnavailable } from "./port.ts";

/**
 * Goal: a request to the schema registry that is never answered is no end. Method: a server on loopback that keeps
 * silent for as many requests as it is told, and then answers as a registry does.
 */
const ID = 17;
const LEARNED = 18;
/** An answer that is on its way takes milliseconds; a machine that stands still for a moment must not make it late. */
const LATE_MS = 3_000;
const { entries, texts } = readSchemaFolder();
const [entry] = entries.filter(({ version }) => version === 1);
if (entry === undefined) throw new Error("there are no schemas");
const folder = { entries: [entry], texts };
const versions = `/subjects/${entry.record}/versions`;
const schema = `/schemas/ids/${LEARNED}`;

let site: HttpSite;
beforeAll(async () => {
  site = await serveSite();
});
beforeEach(() => void site.asked.splice(0));
afterAll(() => site[Symbol.asyncDispose]());

/** What the registry answers, after `silent` requests of this kind without a word. */
function answersAfter(silent: number, body: object): RequestListener {
  let asked = 0;
  return (request, response) => {
    request.resume();
    asked += 1;
    if (asked <= silent) return;
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
}

const askedFor = (path: string) => site.asked.filter((asked) => asked === path).length;

function open({ silent, answerTimeoutMs }: { silent: number; answerTimeoutMs: number }) {
  site.on(`/config/${entry?.record}`, answersAfter(0, { compatibilityLevel: "FULL_TRANSITIVE" }));
  site.on(versions, answersAfter(silent, { id: ID }));
  return openConfluentRegistry({ url: site.origin, folder, answerTimeoutMs });
}

describe("A schema registry that does not answer", () => {
  it("is asked again to register a schema, whose id is then known", async () => {
    const registry = await open({ silent: 1, answerTimeoutMs: LATE_MS });
    expect(registry.idFor(entry.record)).toBe(ID);
    expect(askedFor(versions)).toBeGreaterThan(1);
  });

  it("is asked again for a schema that a record names", async () => {
    const registry = await open({ silent: 0, answerTimeoutMs: LATE_MS });
    site.on(schema, answersAfter(1, { schema: texts.get(entry.file) }));
    await registry.learn([LEARNED]);
    expect(registry.schemaById(LEARNED)).toMatchObject({ id: LEARNED, record: entry.record });
    expect(askedFor(schema)).toBeGreaterThan(1);
  });

  it("can't be used when it keeps silent, which is told with its address", async () => {
    const opening = open({ silent: Infinity, answerTimeoutMs: 50 });
    await expect(opening).rejects.toThrow(SchemaRegistryUnavailable);
    await expect(opening).rejects.toThrow(
      `the schema registry at ${site.origin} can't be used: no answer within 50 ms`,
    );
  });
});
