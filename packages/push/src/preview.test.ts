import type { RankingRule, ScenarioSettings } from "@feed/domain/scenario";
import { asId } from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contentId,
  openInstallation,
  openShared,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";

let shared: Awaited<ReturnType<typeof openShared>>;
let installation: Installation;
beforeAll(async () => {
  shared = await openShared();
  installation = await openInstallation({ shared });
  await installation.publish(
    ...Array.from({ length: 9 }, (_, at) => ({
      contentId: contentId(`article-${at}`),
      title: `Story number ${at} about topic ${at}`,
      duplicateGroup: `group-${at}`,
      sourceId: asId<Extract<RankingRule, { match: "source" }>["id"]>(`source-${1 + (at % 3)}`),
      publishedAtMs: shared.deps.clock.nowMs() - (at + 1) * 3_600_000,
    })),
  );
});
afterAll(async () => {
  await installation?.[Symbol.asyncDispose]();
  await shared[Symbol.asyncDispose]();
});

const previewUnder = (settings: Partial<ScenarioSettings>, user?: string) => {
  const { deps, tenantId, service } = installation;
  const scenario = deps.directory.scenario(tenantId, "daily")!;
  return service.preview({
    tenant: deps.directory.tenant(tenantId)!,
    scenario: { ...scenario, settings: { ...DEFAULT_SCENARIO_SETTINGS, ...settings } },
    candidatesPerUser: 3,
    requestId: "request",
    nowMs: deps.clock.nowMs(),
    ...(user !== undefined && { userId: userId(user) }),
  });
};
const lifted: RankingRule = { match: "article", id: contentId("article-8"), factor: 20 };

describe("What a push scenario would give", () => {
  it("is what a job gives, with the reasons", async () => {
    await installation.tell({ userId: userId("reader"), properties: {} });
    const jobId = await installation.request({ candidatesPerUser: 3 });
    await installation.ended(jobId);
    const [line] = await installation.result(jobId);
    const items = await previewUnder({ excludeSent: false }, "reader");
    expect(items.map(({ contentId: id }) => id)).toEqual(line?.candidates.map(({ id }) => id));
    expect(items[0]?.explanation.parts.freshness).toBeGreaterThan(0);
    const sentNow = await previewUnder({}, "reader");
    const again = sentNow.filter((item) => items.some((one) => one.contentId === item.contentId));
    expect(again).toEqual([]);
  });

  it("follows the scenario's rules, and names them", async () => {
    const plain = await previewUnder({});
    expect(plain.map(({ contentId: id }) => id)).not.toContain("article-8");
    const [first] = await previewUnder({ rankingRules: [lifted] });
    expect(first?.contentId).toBe("article-8");
    expect(first?.explanation.ranking_rules).toEqual([lifted]);
    const buried: RankingRule = { match: "source", id: asId("source-1"), factor: 0.05 };
    const others = await previewUnder({ rankingRules: [buried] });
    expect(plain[0]?.contentId).toBe("article-0");
    expect(others[0]?.explanation).not.toHaveProperty("ranking_rules");
    expect(others.at(-1)?.explanation.ranking_rules).toEqual([buried]);
  });

  it("leaves the scores that a threshold is held against to what no rule matches", async () => {
    const [best] = await previewUnder({});
    const scoreThreshold = (best?.score ?? 0) - 0.001;
    const items = await previewUnder({ rankingRules: [lifted], scoreThreshold });
    expect(items.map(({ contentId: id }) => id)).toContain(best?.contentId);
  });

  it("holds what a rule lifts, however much else is newer", async () => {
    await installation.publish(
      ...Array.from({ length: 60 }, (_, at) => ({
        contentId: contentId(`newer-${at}`),
        title: `Another story ${at} about something ${at}`,
        duplicateGroup: `newer-group-${at}`,
        sourceId: asId<Extract<RankingRule, { match: "source" }>["id"]>("source-2"),
        publishedAtMs: shared.deps.clock.nowMs() - (at + 1) * 1_000,
      })),
    );
    const [article] = await previewUnder({ rankingRules: [lifted] });
    expect(article?.contentId).toBe("article-8");
    const source: RankingRule = { match: "source", id: asId("source-3"), factor: 20 };
    const [ofSource] = await previewUnder({ rankingRules: [source] });
    expect(ofSource?.explanation.ranking_rules).toEqual([source]);
  });
});
