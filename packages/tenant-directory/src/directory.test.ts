import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { asId, type ContentId, type SourceId, type TenantId } from "@feed/domain/ids";
import {
  buildScenario,
  buildSource,
  buildTenant,
  manualClock,
  temporaryDirectory,
  waitFor,
} from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { issueApiKey, openTenantDirectory, sha256OfApiKey } from "./index.ts";

const clock = manualClock(Date.UTC(2026, 0, 1));
const codec = createFactCodec(await openBundledRegistry());
const stamp = { actor: "test", atMs: clock.nowMs() };
const tenant = buildTenant({ tenantId: asId<TenantId>("acme"), defaultLicence: "link" });
const { tenantId } = tenant;

/** A log with two directories on it, as two API nodes have. */
async function twoNodes() {
  const directory = await temporaryDirectory();
  const eventLog = await openEmbeddedEventLog({ directory: directory.path });
  const unreadable: number[] = [];
  const open = () =>
    openTenantDirectory({
      eventLog,
      codec,
      clock,
      onUnreadable: (offset) => unreadable.push(offset),
    });
  const [here, there] = [await open(), await open()];
  return {
    eventLog,
    here,
    there,
    open,
    unreadable,
    async [Symbol.asyncDispose]() {
      await here[Symbol.asyncDispose]();
      await there[Symbol.asyncDispose]();
      await eventLog[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

describe("The tenant directory (architecture rule 8)", () => {
  it("sees its own change at once, and every other node soon", async () => {
    await using nodes = await twoNodes();
    await nodes.here.change([{ type: "tenant.saved", tenant, ...stamp }]);
    expect(nodes.here.tenant(tenantId)).toEqual(tenant);
    await waitFor(() => nodes.there.tenant(tenantId) !== undefined);
  });

  it("is ready only when it has read everything appended before", async () => {
    await using nodes = await twoNodes();
    await nodes.here.change([{ type: "tenant.saved", tenant, ...stamp }]);
    await using late = await nodes.open();
    expect(late.tenants()).toEqual([tenant]);
  });

  it("finds a key by its hash until it is revoked", async () => {
    await using nodes = await twoNodes();
    const { secret, key } = issueApiKey(tenantId);
    await nodes.here.change([{ type: "api-key.issued", key, ...stamp }]);
    expect(nodes.here.apiKey(sha256OfApiKey(secret))).toEqual(key);
    expect(JSON.stringify(key)).not.toContain(secret);
    await nodes.here.change([{ type: "api-key.revoked", tenantId, keyId: key.keyId, ...stamp }]);
    expect(nodes.here.apiKey(sha256OfApiKey(secret))).toBeUndefined();
    expect(nodes.here.apiKeys(tenantId)).toEqual([]);
  });

  it("ends a key at its time, and knows the last day of its use", async () => {
    await using nodes = await twoNodes();
    const { secret, key } = issueApiKey(tenantId, { kind: "test", name: "trials" });
    expect([secret.slice(0, 8), key.prefix.slice(0, 8)]).toEqual(["cf_test_", "cf_test_"]);
    const { keyId } = key;
    await nodes.here.change([{ type: "api-key.issued", key, ...stamp }]);
    expect(nodes.here.keyUsedAtMs(tenantId, keyId)).toBeNull();
    await nodes.here.change([
      { type: "api-key.expiry-set", tenantId, keyId, expiresAtMs: 5, ...stamp },
      { type: "api-key.used", tenantId, keyId, ...stamp },
    ]);
    expect(nodes.here.apiKey(sha256OfApiKey(secret))?.expiresAtMs).toBe(5);
    expect(nodes.here.apiKeys(tenantId)).toEqual([{ ...key, expiresAtMs: 5 }]);
    expect(nodes.here.keyUsedAtMs(tenantId, keyId)).toBe(stamp.atMs);
  });

  it("keeps what is withheld, and the first alert of a month and threshold", async () => {
    await using nodes = await twoNodes();
    const withheld = (isWithheld: boolean, id: string) =>
      ({ type: "content.withheld", tenantId, contentId: asId<ContentId>(id), isWithheld }) as const;
    const facts = [withheld(true, "a"), withheld(true, "b"), withheld(false, "a")];
    await nodes.here.change(facts.map((fact) => ({ ...fact, ...stamp })));
    expect([...nodes.here.withheldContents(tenantId)]).toEqual(["b"]);
    expect(nodes.here.withheldContents(asId<TenantId>("other")).size).toBe(0);
    const alert = (month: string, usedTenths: number) =>
      ({
        type: "usage-threshold.reached",
        tenantId,
        month,
        thresholdPercent: 80,
        usedTenths,
        capTenths: 10,
        ...stamp,
      }) as const;
    await nodes.here.change([alert("2026-11", 8), alert("2026-11", 9), alert("2026-12", 10)]);
    const known = nodes.here.usageAlerts(tenantId);
    expect(known.map(({ month, usedTenths }) => [month, usedTenths])).toEqual([
      ["2026-11", 8],
      ["2026-12", 10],
    ]);
  });

  it("keeps the highest version of a scenario", async () => {
    await using nodes = await twoNodes();
    const { settings } = buildScenario();
    const saved = (version: number) =>
      ({
        type: "scenario.saved",
        tenantId,
        name: "home",
        scenarioType: "feed",
        version,
        settings,
        ...stamp,
      }) as const;
    await nodes.here.change([saved(2), saved(1)]);
    expect(nodes.here.scenario(tenantId, "home")?.version).toBe(2);
    const [only, ...others] = nodes.here.scenarioVersions(tenantId, "home");
    expect([only?.savedBy, only?.savedAtMs, others]).toEqual(["test", stamp.atMs, []]);
    expect(nodes.here.scenarios(tenantId, "push")).toEqual([]);
    expect(nodes.here.scenario(asId<TenantId>("other"), "home")).toBeUndefined();
  });

  it("gives a source the tenant's default licence until one is set, and an unknown tenant none", async () => {
    await using nodes = await twoNodes();
    const [open, closed] = [asId<SourceId>("open"), asId<SourceId>("closed")];
    const sources = [open, closed].map(
      (sourceId) =>
        ({ type: "source.saved", source: buildSource({ sourceId }), ...stamp }) as const,
    );
    await nodes.here.change([{ type: "tenant.saved", tenant, ...stamp }, ...sources]);
    expect(nodes.here.licence(tenantId, open)).toBe("link");
    expect(nodes.here.undeliverableSources(tenantId)).toEqual(new Set());
    const licence = { tenantId, sourceId: closed, licence: "none" } as const;
    await nodes.here.change([{ type: "licence.set", licence, ...stamp }]);
    expect(nodes.here.undeliverableSources(tenantId)).toEqual(new Set([closed]));
    expect(nodes.here.ownLicence(tenantId, closed)).toBe("none");
    await nodes.here.change([{ type: "licence.reset", tenantId, sourceId: closed, ...stamp }]);
    expect(nodes.here.licence(tenantId, closed)).toBe("link");
    expect(nodes.here.ownLicence(tenantId, closed)).toBeUndefined();
    expect(nodes.here.undeliverableSources(tenantId)).toEqual(new Set());
    expect(nodes.here.licence(asId<TenantId>("other"), open)).toBe("none");
  });

  it("lists no removed source and licenses it to nobody, until it is saved again", async () => {
    await using nodes = await twoNodes();
    const source = buildSource({ sourceId: asId<SourceId>("left") });
    const { sourceId } = source;
    const licence = { tenantId, sourceId, licence: "body" } as const;
    const save = (removed: boolean) =>
      nodes.here.change([{ type: "source.saved", source: { ...source, removed }, ...stamp }]);
    await nodes.here.change([{ type: "licence.set", licence, ...stamp }]);
    await save(true);
    expect(nodes.here.sources()).toEqual([]);
    expect(nodes.here.licence(tenantId, sourceId)).toBe("none");
    expect(nodes.here.undeliverableSources(tenantId)).toEqual(new Set([sourceId]));
    await save(false);
    expect(nodes.here.sources()).toHaveLength(1);
    expect(nodes.here.licence(tenantId, sourceId)).toBe("body");
  });

  it("goes on after a record it can't read (architecture rule 4)", async () => {
    await using nodes = await twoNodes();
    const value = new Uint8Array([9, 9, 9]);
    await nodes.eventLog.append([
      { topic: "tenants", partition: 0, key: "acme", value, timestampMs: clock.nowMs() },
    ]);
    await nodes.here.change([{ type: "tenant.saved", tenant, ...stamp }]);
    expect(nodes.here.tenant(tenantId)).toEqual(tenant);
    expect(nodes.unreadable).toContain(0);
  });
});
