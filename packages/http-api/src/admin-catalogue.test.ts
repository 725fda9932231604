import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildArticle } from "@feed/test-kit";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId } from "@feed/domain/ids";
import type { CatalogueAnswer, CatalogueItemAnswer } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openFeedInstallation } from "./testing/feed.ts";
import type { Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

const TITLES = ["Harbour opens", "A football final", "Rice harvest"];
const ARTICLES = TITLES.map((title, at) =>
  buildArticle({
    contentId: asId<ContentId>(`c-${at + 1}`),
    sourceId: asId<SourceId>("source-1"),
    title,
    publishedAtMs: Date.UTC(2026, 0, at + 1),
  }),
);
let installation: Installation;
let viewer: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  installation = await openFeedInstallation(ARTICLES);
  viewer = await signInAs(installation, "viewer", "one");
  admin = await signInAs(installation, "tenant_admin", "one");
});
afterAll(() => installation[Symbol.asyncDispose]());

const PATH = "/tenants/one/contents";
const search = async (query: string) =>
  ((await viewer.call("GET", `${PATH}${query}`)).json as CatalogueAnswer).data;
const idsOf = async (query: string) => (await search(query)).map(({ content }) => content.id);

describe("Articles", () => {
  it("are listed newest first, as many as asked for", async () => {
    expect(await idsOf("")).toEqual(["c-3", "c-2", "c-1"]);
    expect(await idsOf("?limit=1")).toEqual(["c-3"]);
  });

  it("are found by words of title or summary, whatever their case, before those that are about them", async () => {
    expect((await idsOf("?q=FOOTBALL")).at(0)).toBe("c-2");
    expect((await idsOf("?q=harvest")).at(0)).toBe("c-3");
  });

  it("are found by id", async () => {
    expect((await idsOf("?q=c-1")).at(0)).toBe("c-1");
  });

  it("say what the tenant's licence is and what it withholds, and are found all the same", async () => {
    await admin.call("PUT", "/tenants/one/licences/source-1", { licence: "none" });
    await admin.call("PUT", "/tenants/one/withheld-contents/c-2");
    expect(await search("?q=football&limit=1")).toMatchObject([
      { content: { id: "c-2" }, licence: "none", withheld: true },
    ]);
    await admin.call("DELETE", "/tenants/one/withheld-contents/c-2");
  });

  it("are shown with every field the tenant gets, the body where it is licensed", async () => {
    const get = async () =>
      ((await viewer.call("GET", `${PATH}/c-2`)).json as CatalogueItemAnswer).data;
    await admin.call("PUT", "/tenants/one/licences/source-1", { licence: "link" });
    expect((await get()).content.content_body).toBeUndefined();
    await admin.call("PUT", "/tenants/one/licences/source-1", { licence: "body" });
    const { content, licence } = await get();
    expect([content.body_format, licence]).toEqual(["markdown", "body"]);
    const delivered = await call(installation, "GET", "/v1/contents/c-2?include_body=true");
    expect(delivered.json).toMatchObject({ data: content });
    expect((await viewer.call("GET", `${PATH}/c-unknown`)).status).toBe(404);
  });

  it("cost nothing, and are shown to nobody of another tenant", async () => {
    const recorded = () => installation.deps.eventLog.endOffsets("deliveries");
    const before = await recorded();
    expect(await idsOf("?q=rice")).not.toEqual([]);
    expect(await recorded()).toEqual(before);
    // What costs is recorded before it is answered.
    await call(installation, "GET", "/v1/contents/c-2");
    expect(await recorded()).not.toEqual(before);
    expect((await viewer.call("GET", "/tenants/two/contents")).status).toBe(404);
  });
});
