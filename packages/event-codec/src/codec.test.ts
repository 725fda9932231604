import { randomBytes } from "node:crypto";
import type { StoredFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type {
  ContentId,
  SessionRef,
  SourceId,
  SubjectId,
  TenantId,
  UserRef,
} from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import {
  BUILT_AT_MS,
  buildApiKey,
  buildArticle,
  buildBehaviourRecorded,
  buildLicence,
  buildSource,
  buildTenant,
} from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openBundledRegistry, readSchemaFolder, registryOf } from "./bundled.ts";
import { createFactCodec } from "./codec.ts";
import { FACT_MAPPINGS } from "./mapping.ts";
import { UnreadableRecord } from "./port.ts";
import { experimentFacts } from "./experiment-facts.fixture.ts";
import { operatingFacts } from "./operating-facts.fixture.ts";
import { peopleFacts } from "./people-facts.fixture.ts";
import { pushFacts, webhookFacts } from "./push-facts.fixture.ts";

const registry = openBundledRegistry();
const codec = createFactCodec(registry);

const tenantId = asId<TenantId>("tenant-1");
const subjectId = asId<SubjectId>("subject-1");
const contentId = asId<ContentId>("content-1");
const sourceId = asId<SourceId>("source-1");
const personal = { keyId: "k1", keyOffset: 2 ** 40, bytes: Buffer.from([1, 2, 3, 0, 255]) };
const user = { tenantId, subjectId, receivedAtMs: BUILT_AT_MS, personal };
const change = { actor: "feedctl", atMs: BUILT_AT_MS };
const served = { tenantId, requestId: "r1", servedAtMs: BUILT_AT_MS };

const click = { ...buildBehaviourRecorded({ subjectId }), personal };
const wholeClick = {
  ...click,
  sessionRef: asId<SessionRef>("session-1"),
  origin: { surface: "push", scenario: "朝", deliveryId: "job-1", position: 3, deliveredAtMs: 5 },
} as const;
const { contentId: _contentId, ...login } = { ...click, kind: "login" as const };
const article = buildArticle({
  author: "山田 太郎",
  thumbnail: { id: asId("00ff"), width: 640, height: 360 },
  areas: [{ areaId: asId("area-1"), confidence: 0.75 }],
  embedding: { model: "hashed-2", vector: Float32Array.of(0.6, -0.8) },
  analysedBy: { language: "script-eld-1" },
});

/** At least one fact of every type, with and without its optional fields. */
const facts: readonly StoredFact[] = [
  click,
  wholeClick,
  login,
  { type: "user.properties-replaced", ...user },
  { type: "user.properties-merged", ...user },
  { type: "user.source-preference-changed", ...user, sourceId, change: "unblock" },
  {
    type: "user.deleted",
    tenantId,
    subjectId,
    userRef: asId<UserRef>("user-ref"),
    generation: 3,
    receivedAtMs: BUILT_AT_MS,
  },
  {
    type: "user-key.created",
    tenantId,
    subjectId,
    keyId: "k1",
    wrapped: Buffer.alloc(60, 7),
    createdAtMs: BUILT_AT_MS,
  },
  { type: "article.published", article },
  { type: "article.published", article: buildArticle() },
  {
    type: "article.withdrawn",
    contentId,
    sourceId,
    reason: "takedown",
    withdrawnAtMs: BUILT_AT_MS,
  },
  { type: "tenant.saved", ...change, tenant: buildTenant({ areaScope: [asId("tokyo")] }) },
  { type: "api-key.issued", ...change, key: buildApiKey() },
  { type: "api-key.issued", ...change, key: buildApiKey({ expiresAtMs: 5 }) },
  { type: "api-key.revoked", ...change, tenantId, keyId: "k1" },
  {
    type: "scenario.saved",
    ...change,
    tenantId,
    name: "main",
    scenarioType: "push",
    version: 2,
    settings: DEFAULT_SCENARIO_SETTINGS,
  },
  { type: "licence.set", ...change, licence: buildLicence({ licence: "link" }) },
  { type: "source.saved", ...change, source: buildSource() },
  {
    type: "source.saved",
    ...change,
    source: buildSource({
      language: "ja",
      crawlIntervalMsMax: 3_600_000,
      pausedReason: "the feed answered 410",
      extraction: { keep: ["article"], drop: [".ad", ".related"] },
      licenceNotes: "contract 12",
      recrawlFromMs: BUILT_AT_MS,
      removed: true,
      publisher: "Harbour Daily",
    }),
  },
  {
    type: "feed.delivered",
    ...served,
    subjectId,
    scenario: "main",
    items: [{ contentId, position: 0, score: 0.25 }],
    creditsTenths: 10,
  },
  { type: "feed.delivered", ...served, scenario: "main", items: [], creditsTenths: 10 },
  {
    type: "feed.delivered",
    ...served,
    subjectId,
    scenario: "main",
    experiment: { experimentId: "exp-1", arm: "variant" },
    items: [],
    creditsTenths: 10,
  },
  { type: "content.delivered", ...served, contentId, creditsTenths: 1 },
  { type: "usage-cap.set", ...change, tenantId, capTenths: null },
  { type: "usage-cap.set", ...change, tenantId, capTenths: 5_000_000_000 },
  { type: "api-key.issued", ...change, key: buildApiKey({ kind: "test", name: "trials" }) },
  { type: "api-key.expiry-set", ...change, tenantId, keyId: "k1", expiresAtMs: BUILT_AT_MS },
  { type: "api-key.used", ...change, tenantId, keyId: "k1" },
  { type: "licence.reset", ...change, tenantId, sourceId },
  { type: "content.withheld", ...change, tenantId, contentId, isWithheld: true },
  ...peopleFacts,
  ...experimentFacts,
  ...pushFacts,
  ...webhookFacts,
  ...operatingFacts,
];

describe("the fact codec", () => {
  it.each(facts.map((fact) => [fact.type, fact] as const))(
    "gives back %s as it was",
    (_type, fact) => {
      expect(codec.decode(codec.encode(fact))).toEqual(fact);
    },
  );

  it("is tried with every type of fact", () => {
    const tried = new Set(facts.map(({ type }) => type));
    expect([...tried].toSorted()).toEqual(Object.keys(FACT_MAPPINGS).toSorted());
  });

  it("leaves absent fields absent", () => {
    expect(Object.keys(codec.decode(codec.encode(login)))).not.toContain("contentId");
  });

  it("writes the wire format: a zero byte and the schema id in four bytes", () => {
    const id = registry.idFor("feed.events.UserDeleted") ?? 0;
    const deleted = facts.find(({ type }) => type === "user.deleted")!;
    expect([...codec.encode(deleted).subarray(0, 5)]).toEqual([0, 0, 0, 0, id]);
  });

  it("writes facts larger than any before", () => {
    const large = buildArticle({ bodyHtml: "あ".repeat(300_000) });
    const fact: StoredFact = { type: "article.published", article: large };
    expect(codec.decode(codec.encode(fact))).toEqual(fact);
    expect(codec.decode(codec.encode(click))).toEqual(click);
  });

  it("gives settings of a scenario that were saved before there were others the defaults of these", () => {
    const { rankingRules: _rules, sourceCaps: _caps, ...former } = DEFAULT_SCENARIO_SETTINGS;
    const saved = facts.find(({ type }) => type === "scenario.saved")!;
    const before = { ...saved, settings: { ...former, scoreThreshold: 0.3 } } as StoredFact;
    expect(codec.decode(codec.encode(before))).toMatchObject({
      settings: { scoreThreshold: 0.3, rankingRules: [], sourceCaps: [] },
    });
  });

  it("keeps nothing of its own buffers in what it returns", () => {
    const first = codec.encode(click);
    const copy = Buffer.from(first);
    codec.encode(wholeClick);
    expect(Buffer.from(first)).toEqual(copy);
    const decoded = codec.decode(first);
    first.fill(0);
    expect(decoded).toEqual(click);
  });
});

/** What was thrown, unless it was an UnreadableRecord. */
function otherErrorOf(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error instanceof UnreadableRecord ? undefined : error;
  }
  return undefined;
}

describe("bytes that are no fact", () => {
  const good = codec.encode({ type: "article.published", article });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["a header alone", good.subarray(0, 5)],
    ["another magic byte", Buffer.concat([Buffer.of(1), good.subarray(1)])],
    ["an unknown schema", Buffer.concat([Buffer.of(0, 0, 0, 3, 231), good.subarray(5)])],
    ["a byte too few", good.subarray(0, -1)],
    ["a byte too many", Buffer.concat([good, Buffer.of(0)])],
  ])("are unreadable: %s", (_what, bytes) => {
    expect(() => codec.decode(bytes)).toThrow(UnreadableRecord);
  });

  it("are unreadable, and quickly, when a count claims more items than there are bytes", () => {
    const items = facts.find(({ type }) => type === "feed.delivered")!;
    const bytes = codec.encode(items);
    // The count 1 (zigzag 2) of the items stands before the content id; 2^31 in its place.
    const at = Buffer.from(bytes).indexOf(Buffer.from([2, 18, ...Buffer.from(contentId)]));
    const huge = Buffer.of(0x80, 0x80, 0x80, 0x80, 0x10);
    const corrupt = Buffer.concat([bytes.subarray(0, at), huge, bytes.subarray(at + 1)]);
    expect(at).toBeGreaterThan(0);
    expect(() => codec.decode(corrupt)).toThrow("a count exceeds its bytes");
  });

  it("never throw anything but UnreadableRecord", () => {
    for (const fact of facts) {
      const encoded = codec.encode(fact);
      for (let round = 0; round < 300; round += 1) {
        const corrupt = Buffer.from(encoded);
        randomBytes(3).copy(corrupt, 5 + Math.floor(Math.random() * (corrupt.length - 8)));
        expect(otherErrorOf(() => codec.decode(corrupt))).toBeUndefined();
      }
    }
  });
});

describe("a newer version of a schema", () => {
  const folder = readSchemaFolder();
  const file = "user-deleted.v2.avsc";
  const schema = JSON.parse(folder.texts.get("user-deleted.v1.avsc") ?? "");
  const reason = { name: "reason", type: "string", default: "asked", doc: "Why." };
  const text = JSON.stringify({ ...schema, fields: [...schema.fields, reason] });
  const record = "feed.events.UserDeleted";
  const newer = createFactCodec(
    registryOf({
      entries: [...folder.entries, { id: 1_000, file, record, version: 2, sha256: "" }],
      texts: new Map([...folder.texts, [file, text]]),
    }),
  );

  it("reads what the older one wrote, with the default of what it lacks", () => {
    const deleted = facts.find(({ type }) => type === "user.deleted")!;
    expect(newer.decode(codec.encode(deleted))).toEqual({ ...deleted, reason: "asked" });
  });

  it("is what is written from then on", () => {
    const deleted = facts.find(({ type }) => type === "user.deleted")!;
    expect(Buffer.from(newer.encode(deleted)).readUInt32BE(1)).toBe(1_000);
    expect(() => codec.decode(newer.encode(deleted))).toThrow("schema 1000 is not registered");
  });

  it("reads the feeds of before there were experiments, which are in no arm", () => {
    const entries = folder.entries.filter(({ file: name }) => name !== "feed-delivered.v2.avsc");
    const before = createFactCodec(registryOf({ ...folder, entries }));
    const [feed] = facts.filter(({ type }) => type === "feed.delivered");
    expect(codec.decode(before.encode(feed!))).toEqual(feed);
    expect(Buffer.from(before.encode(feed!))).not.toEqual(Buffer.from(codec.encode(feed!)));
  });
});
