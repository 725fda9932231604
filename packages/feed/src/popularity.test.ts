import { openClickHouseActivityStore } from "@feed/activity-store/clickhouse";
import { startEmbeddedClickHouse } from "@feed/activity-store/embedded";
import { asId } from "@feed/domain/ids";
import { NO_ROWS } from "@feed/projections/activity-rows";
import { temporaryDirectory } from "@feed/test-kit";
import { expect, it } from "vitest";
import {
  contentId,
  HOUR_MS,
  NOW_MS,
  openInstallation,
  TENANT,
} from "./testing/installation.fixture.ts";
import { ids, pageOf } from "./testing/topics.fixture.ts";

const REFRESHED_WITHIN_MS = 15_000;
const ARTICLES = 40;
const CLICKS = 30;

it("ranks what the tenant's readers click higher, for that tenant, from the activity store (spec 1)", async () => {
  await using directory = await temporaryDirectory();
  await using engine = await startEmbeddedClickHouse({
    directory: directory.path,
    onExit: () => undefined,
  });
  await using activityStore = await openClickHouseActivityStore(engine.endpoint);
  await using installation = await openInstallation({
    change: (deps) => ({ ...deps, activityStore }),
  });
  await installation.saveTenant();
  await installation.saveSources("source-0", "source-1", "source-2", "source-3");
  for (let at = 0; at < ARTICLES; at += 1) {
    const categories = ["food", "sports", "culture"] as const;
    await installation.publish(
      await installation.articleOf({
        contentId: contentId(`a-${at}`),
        sourceId: asId(`source-${at % 4}`),
        title: `${at} ${"abcdefghij".slice(at % 10)}`,
        category: categories[at % 3] ?? "food",
        publishedAtMs: NOW_MS - (at + 1) * HOUR_MS,
      }),
    );
  }
  const events = Array.from({ length: CLICKS }, (_, at) => ({
    tenantId: TENANT,
    subjectId: asId<never>(`s-${at}`),
    ofUser: true,
    eventId: `e-${at}`,
    kind: "click" as const,
    contentId: contentId("a-30"),
    occurredAtMs: NOW_MS - HOUR_MS,
    receivedAtMs: NOW_MS - HOUR_MS,
    offset: at,
  }));
  await activityStore.apply("users", { ...NO_ROWS, events }, new Map());
  const placeOf = async (id: string) => {
    const { items } = pageOf(await installation.service.feed(installation.request({ limit: 100 })));
    return ids(items).indexOf(id);
  };
  const before = await placeOf("a-30");
  expect(before).toBeGreaterThan(5);
  // Feeds never wait for the store: one asks, a later one knows.
  await expect
    .poll(
      async () => {
        installation.clock.advance(4 * REFRESHED_WITHIN_MS);
        return placeOf("a-30");
      },
      { timeout: 120_000 },
    )
    .toBeLessThan(before / 2);
});
