import type { RankingRule, ScenarioSettings } from "../scenario.ts";
import type { Candidates, IndexedArticleForRanking } from "./candidates.ts";

/** The rules of one version of a scenario, by what they match. */
interface RuleTable {
  readonly source: ReadonlyMap<string, RankingRule>;
  readonly category: ReadonlyMap<string, RankingRule>;
  readonly article: ReadonlyMap<string, RankingRule>;
}

/** A version's list of rules is one object for as long as the version is held: each is sorted out once. */
const tables = new WeakMap<readonly RankingRule[], RuleTable>();

function tableOf(rules: ScenarioSettings["rankingRules"]): RuleTable {
  let table = tables.get(rules);
  if (table === undefined) {
    const matching = (match: RankingRule["match"]) =>
      new Map(rules.filter((rule) => rule.match === match).map((rule) => [rule.id, rule]));
    table = {
      source: matching("source"),
      category: matching("category"),
      article: matching("article"),
    };
    tables.set(rules, table);
  }
  return table;
}

/** The rules that match an article: of its source, of its category, its own. */
export function rulesFor(
  rules: ScenarioSettings["rankingRules"],
  article: Pick<IndexedArticleForRanking, "contentId" | "sourceId" | "category">,
): readonly RankingRule[] {
  if (rules.length === 0) return [];
  const { source, category, article: own } = tableOf(rules);
  return [
    source.get(article.sourceId),
    category.get(article.category),
    own.get(article.contentId),
  ].filter((rule) => rule !== undefined);
}

/**
 * Applies the rules to scores, in place. Factors of rules that match one candidate are multiplied; sources and
 * categories are looked up once for each number of their columns.
 */
export function applyRules(
  scores: Float64Array,
  candidates: Candidates,
  rules: ScenarioSettings["rankingRules"],
): void {
  if (rules.length === 0) return;
  const { source, category, article: own } = tableOf(rules);
  const bySource: number[] = [];
  const byCategory: number[] = [];
  for (let at = 0; at < scores.length; at += 1) {
    const article = candidates.articles[at] as IndexedArticleForRanking;
    const ofSource = (bySource[candidates.sources[at] as number] ??=
      source.get(article.sourceId)?.factor ?? 1);
    const ofCategory = (byCategory[candidates.categories[at] as number] ??=
      category.get(article.category)?.factor ?? 1);
    const ofArticle = own.size === 0 ? 1 : (own.get(article.contentId)?.factor ?? 1);
    scores[at] = scoreUnder(scores[at] as number, ofSource * ofCategory * ofArticle);
  }
}

/**
 * A score under a rule's factor: buried, it is multiplied; lifted, its odds are, so that it stays in [0, 1]. Either way
 * it keeps the order among what the same rule matches, and articles that no rule matches keep their scores.
 */
export function scoreUnder(score: number, factor: number): number {
  return factor <= 1 ? score * factor : (factor * score) / (1 + (factor - 1) * score);
}
