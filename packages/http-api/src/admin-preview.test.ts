import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildArticle, manualClock } from "@feed/test-kit";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId } from "@feed/domain/ids";
import type { FeedPreviewAnswer } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openFeedInstallation } from "./testing/feed.ts";
import type { Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

const ARTICLES = ["c-1", "c-2", "c-3"].map((id) =>
  buildArticle({ contentId: asId<ContentId>(id), sourceId: asId<SourceId>("source-1") }),
);
let installation: Installation;
let viewer: SignedIn;
beforeAll(async () => {
  installation = await openFeedInstallation(ARTICLES, {
    // It stands: what is explored changes with the day.
    change: (deps) => ({ ...deps, clock: manualClock(deps.clock.nowMs()) }),
  });
  viewer = await signInAs(installation, "viewer", "one");
});
afterAll(() => installation[Symbol.asyncDispose]());

const preview = (query = "") => viewer.call("GET", `/tenants/one/users/by-id/reader/feed${query}`);
const deliveries = async () =>
  (await installation.deps.eventLog.endOffsets("deliveries")).reduce((sum, end) => sum + end, 0);

describe("What a user would be shown", () => {
  it("is what the feed shows, each article explained, and without a token", async () => {
    const { data, meta } = (await preview()).json as FeedPreviewAnswer;
    const feed = await call(installation, "GET", "/v1/feed?user_id=reader");
    const shown = (feed.json as { readonly data: readonly { readonly id: string }[] }).data;
    expect(data.map(({ content }) => content.id)).toEqual(shown.map(({ id }) => id));
    expect(data).toHaveLength(3);
    expect(data[0]?.explanation.parts).toMatchObject({ relevance: expect.any(Number) });
    expect(JSON.stringify(data)).not.toContain("tracking_token");
    expect(meta).toMatchObject({ scenario: "main" });
  });

  it("is recorded nowhere, where a feed is a delivery", async () => {
    const before = await deliveries();
    expect((await preview("?limit=2")).status).toBe(200);
    expect(await deliveries()).toBe(before);
    await call(installation, "GET", "/v1/feed?user_id=reader");
    expect(await deliveries()).toBe(before + 1);
  });

  it("is of a scenario of feeds, and of the viewer's own tenant", async () => {
    expect((await preview("?scenario=main")).status).toBe(200);
    expect((await preview("?scenario=unknown")).status).toBe(404);
    const foreign = await viewer.call("GET", "/tenants/two/users/by-id/reader/feed");
    expect(foreign.status).toBe(404);
  });
});
