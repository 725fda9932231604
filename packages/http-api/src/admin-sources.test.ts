import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { asId } from "@feed/domain/ids";
import type { ContentId } from "@feed/domain/ids";
import type { AdminSourceAnswer, SourcePreviewAnswer } from "./openapi.generated.ts";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const item = { id: "1", url: `${origin}/1`, title: "Ferry", content_html: "<p>It left.</p>" };
    const version = "https://jsonfeed.org/version/1.1";
    const feed = JSON.stringify({ version, title: "Harbour Daily", items: [item] });
    response.writeHead(request.url === "/feed" ? 200 : 404);
    response.end(request.url === "/feed" ? feed : undefined);
  });
  // Kept until the desk ends it: an idle connection that ended here, just as it is used again, would break that request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const indexed = { contentId: asId<ContentId>("c-known"), sourceId: "source-1" };
  installation = await openInstallation({
    ownOrigins: new Map([[origin, { requestsAtOnce: 4, delayMs: 0 }]]),
    change: (deps) => ({
      ...deps,
      contentIndex: {
        articles: (ids) =>
          Promise.resolve(ids.includes(indexed.contentId) ? [indexed as never] : []),
      },
    }),
  });
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

const admin = (method: string, path: string, body?: unknown) =>
  call(installation, method, `/admin/v1${path}`, { key: ADMIN_TOKEN, body });
const sourceOf = (answer: { readonly json: unknown }) => (answer.json as AdminSourceAnswer).data;

describe("admin: sources", () => {
  it("previews a source without saving it", async () => {
    const answer = await admin("GET", `/source-preview?address=${origin}/feed`);
    expect((answer.json as SourcePreviewAnswer).data).toMatchObject({
      name: "Harbour Daily",
      format: "json",
      entries: [{ title: "Ferry", published_at: null }],
      article: { title: "Ferry" },
      problems: expect.arrayContaining([`${origin}/1: There is nothing at the address (404).`]),
    });
    expect((await admin("GET", "/sources/daily")).status).toBe(404);
  });

  it("adds one, changes it, and refuses its id twice", async () => {
    const added = await admin("POST", "/sources", {
      address: `${origin}/feed`,
      source_id: "daily",
      drop_selectors: [".ad"],
      licence_notes: "contract 12",
    });
    expect(added.status).toBe(201);
    expect(sourceOf(added)).toMatchObject({
      source_id: "daily",
      name: "Harbour Daily",
      feed_url: `${origin}/feed`,
      crawl_interval_ms: 300_000,
      crawl_interval_ms_max: 3_600_000,
      drop_selectors: [".ad"],
      health: { status: "new", errors: [], error_rate: null },
    });
    const again = { address: `${origin}/feed`, source_id: "daily" };
    expect((await admin("POST", "/sources", again)).status).toBe(409);
    const changes = { paused: true, drop_selectors: [], publisher: "Harbour Group" };
    const changed = await admin("PATCH", "/sources/daily", changes);
    expect(sourceOf(changed)).toMatchObject({
      paused: true,
      publisher: "Harbour Group",
      drop_selectors: [],
      licence_notes: "contract 12",
      health: { status: "paused" },
    });
    expect(installation.deps.directory.source(asId("daily"))).not.toHaveProperty("extraction");
    const own = await admin("PATCH", "/sources/daily", { publisher: null });
    expect(sourceOf(own).publisher).toBeNull();
    expect((await admin("POST", "/sources/daily/recrawl")).status).toBe(204);
    expect(installation.deps.directory.source(asId("daily"))?.recrawlFromMs).toBeGreaterThan(0);
  });

  it("says at which field what is wrong", async () => {
    const pointers = async (method: string, path: string, body: unknown) => {
      const { status, json } = await admin(method, path, body);
      expect(status).toBe(400);
      return (json as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
    };
    const add = { address: `${origin}/none` };
    expect(await pointers("POST", "/sources", add)).toEqual(["/address"]);
    const selectors = { ...add, keep_selectors: ["p", "p["] };
    expect(await pointers("POST", "/sources", selectors)).toEqual(["/keep_selectors/1"]);
    const bounds = { crawl_interval_ms: 60_000, crawl_interval_ms_max: 30_000 };
    expect(await pointers("PATCH", "/sources/source-2", bounds)).toEqual([
      "/crawl_interval_ms_max",
    ]);
    expect((await admin("GET", "/source-preview?address=http%3A%2F%2F10.0.0.1")).status).toBe(400);
  });

  it("removes one: it is listed nowhere and licensed to nobody until it is added again", async () => {
    const { directory } = installation.deps;
    expect((await admin("DELETE", "/sources/source-2")).status).toBe(204);
    expect((await admin("DELETE", "/sources/source-2")).status).toBe(404);
    expect((await admin("GET", "/sources/source-2")).status).toBe(404);
    expect(directory.licence(asId("one"), asId("source-2"))).toBe("none");
    const { json } = await call(installation, "GET", "/v1/sources");
    expect(JSON.stringify(json)).not.toContain("source-2");
    const back = { address: `${origin}/feed`, source_id: "source-2" };
    expect((await admin("POST", "/sources", back)).status).toBe(201);
    expect(directory.licence(asId("one"), asId("source-2"))).toBe("body");
  });
});

describe("admin: takedown", () => {
  it("appends that the article is withdrawn, for good", async () => {
    const { eventLog } = installation.deps;
    const before = await eventLog.endOffsets("contents");
    expect((await admin("POST", "/contents/c-known/takedown")).status).toBe(204);
    const after = await eventLog.endOffsets("contents");
    const partition = after.findIndex((end, at) => end > (before[at] ?? 0));
    const { records } = await eventLog.read("contents", partition, 0, 10);
    expect(records.at(-1)?.key).toBe("c-known");
    const fact = createFactCodec(openBundledRegistry()).decode(records.at(-1)?.value as Uint8Array);
    expect(fact).toMatchObject({ sourceId: "source-1", reason: "takedown" });
    expect((await admin("POST", "/contents/c-other/takedown")).status).toBe(404);
  });
});
