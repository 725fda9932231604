import type { PictureId } from "@feed/domain/ids";
import { asId } from "@feed/domain/ids";
import { STORED_PICTURE_PREFIX } from "@feed/domain/article";
import type { Licence } from "@feed/domain/tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FeedRequest } from "./index.ts";
import { attributedUrl } from "./present.ts";
import {
  BASE_URL,
  contentId,
  openInstallation,
  TENANT,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";

const PICTURE = asId<PictureId>("ab".repeat(32));
const STORED = `${STORED_PICTURE_PREFIX}${PICTURE}`;
const reader = userId("person@example.com");

let installation: Installation;

beforeAll(async () => {
  installation = await openInstallation();
  await installation.saveTenant({ slug: "my app" });
  await installation.saveSources("licensed", "linked");
  const parts = [
    {
      contentId: contentId("with"),
      sourceId: "licensed",
      author: "A. Author",
      thumbnail: { id: PICTURE, width: 1_200, height: 800 },
    },
    { contentId: contentId("without"), sourceId: "linked" },
  ];
  for (const { sourceId, ...article } of parts) {
    await installation.publish(
      await installation.articleOf({
        ...article,
        sourceId: asId(sourceId),
        url: "https://publisher.example/a?id=7&q=a%20b+c#part",
        canonicalUrl: "https://publisher.example/a",
        bodyHtml: `<p>Words <img src="${STORED}" alt="x"></p>`,
        bodyMarkdown: `Words ![x](${STORED})`,
      }),
    );
  }
  await license("licensed", "body");
  await license("linked", "link");
  await installation.tell(reader, { properties: {} });
});
afterAll(() => installation[Symbol.asyncDispose]());

const license = (sourceId: string, licence: Licence) =>
  installation.changeDirectory({
    type: "licence.set",
    licence: { tenantId: TENANT, sourceId: asId(sourceId), licence },
  });
const feedItem = async (id: string, parts: Partial<FeedRequest> = {}) => {
  const answer = await installation.service.feed(installation.request(parts));
  const items = answer.kind === "page" ? answer.items : [];
  const item = items.find((one) => one.content.id === id);
  if (item === undefined) throw new Error(`no item ${id}`);
  const { content, body, ...delivered } = item;
  return { ...content, ...body, ...delivered };
};
const content = (id: string, parts: Partial<FeedRequest> = {}) => {
  const { tenant, requestId, includeBody, bodyFormat, nowMs } = installation.request(parts);
  return installation.service.content({
    tenant,
    contentId: contentId(id),
    requestId,
    includeBody,
    bodyFormat,
    nowMs,
  });
};

describe("Content items (spec 2.1, 2.2)", () => {
  it("carry every field, and the author only when known", async () => {
    const item = await feedItem("with", { includeBody: true });
    expect(item).toMatchObject({
      id: "with",
      title: "Title of with",
      canonical_url: "https://publisher.example/a",
      summary: "A summary.",
      body_excerpt: "The start of the body.",
      author: "A. Author",
      published_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      source: {
        source_id: "licensed",
        name: "licensed",
        url: "https://licensed.example/",
        title_rewrite_allowed: false,
      },
      body_format: "markdown",
    });
    expect(await feedItem("without")).not.toHaveProperty("author");
  });

  it("always have a thumbnail, generated where the article has none", async () => {
    const own = (await feedItem("with")).thumbnail;
    const generated = (await feedItem("without")).thumbnail;
    expect(own.url).toContain(`/${PICTURE}/`);
    expect(generated.url).toContain("/placeholder/linked/");
    for (const { url, width, height } of [own, generated]) {
      expect(url.startsWith(`${BASE_URL}/pictures/`)).toBe(true);
      expect(Number.isInteger(width) && Number.isInteger(height)).toBe(true);
    }
  });

  it("link out with attribution, the article's own query and fragment, and no user id", async () => {
    const { url } = await feedItem("with", { userId: reader });
    expect(url).toBe(
      "https://publisher.example/a?id=7&q=a%20b+c&utm_source=my%20app&utm_medium=feed#part",
    );
    expect(decodeURIComponent(url)).not.toContain("person");
  });

  it.each([
    ["https://a.example/x", "https://a.example/x?utm_source=s&utm_medium=push"],
    ["https://a.example/x?#f", "https://a.example/x?utm_source=s&utm_medium=push#f"],
    ["https://a.example/?flag&b=", "https://a.example/?flag&b=&utm_source=s&utm_medium=push"],
    [
      "https://a.example/?utm_source=rss&k=1",
      "https://a.example/?k=1&utm_source=s&utm_medium=push",
    ],
    ["https://a.example/#a?b", "https://a.example/?utm_source=s&utm_medium=push#a?b"],
  ])("attribute %s", (url, attributed) => {
    expect(attributedUrl(url, "s", "push")).toBe(attributed);
  });

  it("have a tracking token that tells tenant, content, scenario, request, position and time", async () => {
    const { verifyTrackingToken } = installation.keyring;
    const request = installation.request({ limit: 1 });
    const first = await installation.service.feed(request);
    if (first.kind !== "page") throw new Error(first.kind);
    const cursor = first.nextCursor as string;
    const second = await installation.service.feed({ ...request, requestId: "second", cursor });
    if (second.kind !== "page") throw new Error(second.kind);
    const [item] = second.items;
    expect(verifyTrackingToken(item?.tracking_token ?? "", TENANT)).toEqual({
      kind: "valid",
      contentId: item?.content.id,
      origin: {
        surface: "feed",
        scenario: "main",
        deliveryId: "second",
        position: 1,
        deliveredAtMs: request.nowMs,
      },
    });
    expect(verifyTrackingToken(item?.tracking_token ?? "", asId("tenant-2"))).toEqual({
      kind: "invalid",
    });
  });
});

describe("Bodies (spec 2.1, 2.3, 4.1 rule 6)", () => {
  it("come only when asked for, in the format asked for, with the format actually used", async () => {
    expect(await feedItem("with")).not.toHaveProperty("content_body");
    expect(await feedItem("with", { bodyFormat: "html" })).not.toHaveProperty("body_format");
    const markdown = await feedItem("with", { includeBody: true });
    const html = await feedItem("with", { includeBody: true, bodyFormat: "html" });
    expect(markdown).toMatchObject({
      body_format: "markdown",
      content_body: expect.stringMatching(/^Words !\[x\]\(https/),
    });
    expect(html).toMatchObject({
      body_format: "html",
      content_body: expect.stringMatching(/^<p>Words <img src="https/),
    });
  });

  it.each(["markdown", "html"] as const)(
    "show pictures under signed addresses: %s",
    async (bodyFormat) => {
      const { content_body: body = "" } = await feedItem("with", { includeBody: true, bodyFormat });
      const [, signature = "", path = ""] = /pictures\/([^/]+)\/([^")]+)/.exec(body) ?? [];
      const { keyring } = installation;
      expect(body).not.toContain("picture.invalid");
      expect(keyring.verifyPath("picture", path, signature)).toBe("valid");
    },
  );

  it("are absent, without an error, where the source is not licensed; all else is there", async () => {
    const item = await feedItem("without", { includeBody: true });
    expect(item).not.toHaveProperty("content_body");
    expect(item).not.toHaveProperty("body_format");
    expect(
      [item.title, item.url, item.thumbnail.url, item.body_excerpt].every((field) => field !== ""),
    ).toBe(true);
  });

  it("come and go with the licence at once", async () => {
    await license("linked", "body");
    expect(await feedItem("without", { includeBody: true })).toHaveProperty("content_body");
    await license("linked", "link");
    expect(await feedItem("without", { includeBody: true })).not.toHaveProperty("content_body");
  });
});

describe("GET /v1/contents/{content_id} (spec 4.2)", () => {
  it("answers the item without score and tracking token", async () => {
    const found = await content("with", { includeBody: true, bodyFormat: "html" });
    const { score, tracking_token, ...item } = await feedItem("with", {
      includeBody: true,
      bodyFormat: "html",
    });
    expect([typeof score, typeof tracking_token]).toEqual(["number", "string"]);
    expect(found).toEqual({ kind: "found", item, creditsTenths: 1 });
  });

  it("answers without body where the source is not licensed for it", async () => {
    const found = await content("without", { includeBody: true });
    expect(found.kind === "found" && found.item).not.toHaveProperty("content_body");
  });

  it("finds neither unknown articles nor those the tenant may not deliver nor withdrawn ones", async () => {
    expect(await content("unknown")).toEqual({ kind: "not-found" });
    await license("linked", "none");
    expect(await content("without")).toEqual({ kind: "not-found" });
    await license("linked", "link");
    await installation.publish(
      await installation.articleOf({ contentId: contentId("brief"), sourceId: asId("linked") }),
    );
    expect((await content("brief")).kind).toBe("found");
    await installation.withdraw(contentId("brief"));
    expect(await content("brief")).toEqual({ kind: "not-found" });
  });
});
