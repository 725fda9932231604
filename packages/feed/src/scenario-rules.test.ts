import { asId } from "@feed/domain/ids";
import type { RankingRule, SourceCap } from "@feed/domain/scenario";
import { buildScenario } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contentId,
  settingsOf,
  TENANT,
  userId,
  type Installation,
} from "./testing/installation.fixture.ts";
import { openWithTopics, pageOf, topicCount } from "./testing/topics.fixture.ts";

let installation: Installation;
let version = 1;
beforeAll(async () => {
  installation = await openWithTopics();
});
afterAll(() => installation[Symbol.asyncDispose]());

/** The first items of a feed under these rules, explained. */
async function feedUnder(
  rules: { rankingRules?: readonly RankingRule[]; sourceCaps?: readonly SourceCap[] },
  limit = 20,
) {
  version += 1;
  const scenario = buildScenario({ tenantId: TENANT, version, settings: settingsOf(rules) });
  const request = installation.request({ scenario, limit, explain: true });
  return pageOf(await installation.service.feed(request)).items;
}
const of = (source: string, items: Awaited<ReturnType<typeof feedUnder>>) =>
  items.filter(({ content }) => content.source.source_id === source);

describe("A scenario's rules", () => {
  it("lift a source and bury a category, and the items say by which rule", async () => {
    const plain = await feedUnder({});
    const lifted: RankingRule = { match: "source", id: asId("source-7"), factor: 8 };
    const buried: RankingRule = { match: "category", id: "food", factor: 0.1 };
    const items = await feedUnder({ rankingRules: [lifted, buried] });
    expect(of("source-7", items).length).toBeGreaterThan(of("source-7", plain).length);
    expect(topicCount(plain, "cooking")).toBeGreaterThan(2);
    expect(topicCount(items, "cooking")).toBeLessThan(topicCount(plain, "cooking"));
    for (const { content, explanation } of items) {
      const isFood = content.id.startsWith("cooking");
      const rules = [
        ...(content.source.source_id === "source-7" ? [lifted] : []),
        ...(isFood ? [buried] : []),
      ];
      expect(explanation?.ranking_rules ?? []).toEqual(rules);
    }
    for (const { explanation } of plain) expect(explanation).not.toHaveProperty("ranking_rules");
  });

  it("lift one article, and are a way to find it", async () => {
    const id = contentId("film-159");
    const plain = await feedUnder({}, 100);
    expect(plain.map(({ content }) => content.id)).not.toContain(id);
    const items = await feedUnder({ rankingRules: [{ match: "article", id, factor: 20 }] }, 100);
    const there = items.find(({ content }) => content.id === id);
    expect(there?.explanation?.found_by).toContain("rule");
    expect(there?.score).toBeGreaterThan(plain.at(-1)?.score ?? 1);
  });

  it("leave the scores alone of what they don't match", async () => {
    const scores = new Map((await feedUnder({}, 100)).map((item) => [item.content.id, item.score]));
    const rule: RankingRule = { match: "source", id: asId("source-3"), factor: 3 };
    for (const { content, score } of await feedUnder({ rankingRules: [rule] }, 100)) {
      const before = scores.get(content.id);
      if (before === undefined) continue;
      const isLifted = content.source.source_id === "source-3";
      expect([content.id, Math.sign(score - before)]).toEqual([content.id, Number(isLifted)]);
    }
  });

  it("keep one source at a share of its own, whatever lifts it", async () => {
    const rankingRules: RankingRule[] = [{ match: "source", id: asId("source-2"), factor: 20 }];
    expect(of("source-2", await feedUnder({ rankingRules }))).toHaveLength(6);
    const sourceCaps = [{ id: asId<SourceCap["id"]>("source-2"), share: 0.1 }];
    const capped = await feedUnder({ rankingRules, sourceCaps });
    expect(of("source-2", capped)).toHaveLength(2);
    expect(capped.map(({ explanation }) => explanation?.rule)).toContain("source_cap");
  });

  it("hold in a feed made for a user as well", async () => {
    const user = userId("reader");
    await installation.tell(user, { did: "click", content: contentId("space-2") });
    version += 1;
    const rankingRules: RankingRule[] = [{ match: "category", id: "science", factor: 0.05 }];
    const request = installation.request({
      userId: user,
      scenario: buildScenario({
        tenantId: TENANT,
        version,
        settings: settingsOf({ rankingRules }),
      }),
    });
    const { items } = pageOf(await installation.service.feed(request));
    expect(topicCount(items, "space")).toBeLessThan(3);
  });
});
