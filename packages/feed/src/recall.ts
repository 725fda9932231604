import type { AreaId, ContentId, SourceId } from "@feed/domain/ids";
import type { UserInterests } from "@feed/domain/ranking/interests";
import type { Scenario } from "@feed/domain/scenario";
import type { RecallFilter, RecallLeg } from "@feed/content-index";
import type { RegisteredReader } from "./reader.ts";

const HOUR_MS = 3_600_000;
/** Candidates by leg: together enough for a walk of FEED_WALK_ITEMS_MAX after near-duplicates fall out. */
const NEAREST_ITEMS = 360;
const FRESH_ITEMS = 200;
const FRESH_OTHER_LANGUAGES_ITEMS = 40;
const FRESH_GENERIC_ITEMS = 500;
const POPULAR_ITEMS = 100;
const AREA_ITEMS = 80;
const FOLLOWED_ITEMS = 80;
const LIFTED_SOURCES_ITEMS = 80;
const SAMPLE_ITEMS = 50;
/** Explored articles are at most this old. */
const SAMPLE_AGE_MS = 14 * 24 * HOUR_MS;

/** Which leg found a candidate, in the words of `explanation.found_by`. */
export type LegName =
  | "interest"
  | "fresh"
  | "popular"
  | "area"
  | "followed"
  | "exploration"
  | "pin"
  | "rule";

export interface NamedLeg {
  readonly name: LegName;
  readonly leg: RecallLeg;
}

export interface RecallInput {
  readonly scenario: Scenario;
  readonly user: RegisteredReader | undefined;
  readonly undeliverable: ReadonlySet<SourceId>;
  readonly interests: UserInterests;
  readonly language: string | null;
  readonly areaIds: readonly AreaId[];
  readonly popular: readonly ContentId[];
  /** Explored articles are the same for the same seed. */
  readonly seed: number;
  readonly nowMs: number;
}

/** Hard filters (architecture section 3, step 1): deliverable, not blocked, not read, scenario rules. */
export function recallFilter({
  scenario,
  user,
  undeliverable,
  language,
  nowMs,
}: RecallInput): RecallFilter {
  const { settings } = scenario;
  const excluded = new Set([
    ...undeliverable,
    ...settings.sources.exclude,
    ...(user?.blockedSources ?? []),
  ]);
  return {
    sourcesIncluded: settings.sources.include === null ? null : new Set(settings.sources.include),
    sourcesExcluded: excluded,
    categoriesIncluded:
      settings.categories.include === null ? null : new Set(settings.categories.include),
    categoriesExcluded: new Set(settings.categories.exclude),
    contentsExcluded: user?.readMarks ?? new Set(),
    language: settings.language.mode === "filter" ? language : null,
    publishedAfterMs: settings.ageHoursMax === null ? null : nowMs - settings.ageHoursMax * HOUR_MS,
    publishedBeforeMs: nowMs,
  };
}

/** All ways to find candidates, for one round trip to the index. */
export function recallLegs(input: RecallInput): NamedLeg[] {
  const { interests, language, areaIds, popular, scenario, user, seed, nowMs } = input;
  const generic = interests.liked.length === 0;
  const followed = user?.state.followedSources ?? [];
  const limit = Math.ceil(NEAREST_ITEMS / Math.max(1, interests.liked.length));
  const legs: NamedLeg[] = interests.liked.map(({ vector }) => ({
    name: "interest",
    leg: { kind: "nearest", vector, limit },
  }));
  legs.push(fresh(language, generic ? FRESH_GENERIC_ITEMS : FRESH_ITEMS));
  if (language !== null) legs.push(fresh(null, FRESH_OTHER_LANGUAGES_ITEMS));
  if (popular.length > 0) legs.push(among("popular", popular, POPULAR_ITEMS));
  if (areaIds.length > 0)
    legs.push({ name: "area", leg: { kind: "areas", areaIds, limit: AREA_ITEMS } });
  if (followed.length > 0) {
    legs.push({
      name: "followed",
      leg: { kind: "sources", sourceIds: followed, limit: FOLLOWED_ITEMS },
    });
  }
  const { pins } = scenario.settings;
  if (pins.length > 0) legs.push(among("pin", pins, pins.length));
  legs.push(...liftedLegs(scenario.settings.rankingRules));
  if (scenario.settings.explorationShare > 0) {
    const publishedAfterMs = nowMs - SAMPLE_AGE_MS;
    legs.push({
      name: "exploration",
      leg: { kind: "sample", seed, publishedAfterMs, limit: SAMPLE_ITEMS },
    });
  }
  return legs;
}

/** What a rule lifts is found whether or not anything else leads to it. */
function liftedLegs(rules: Scenario["settings"]["rankingRules"]): NamedLeg[] {
  const lifted = rules.filter(({ factor }) => factor > 1);
  const sourceIds = lifted.flatMap((rule) => (rule.match === "source" ? rule.id : []));
  const contentIds = lifted.flatMap((rule) => (rule.match === "article" ? rule.id : []));
  const legs: NamedLeg[] = [];
  if (sourceIds.length > 0) {
    legs.push({ name: "rule", leg: { kind: "sources", sourceIds, limit: LIFTED_SOURCES_ITEMS } });
  }
  if (contentIds.length > 0) legs.push(among("rule", contentIds, contentIds.length));
  return legs;
}

function fresh(language: string | null, limit: number): NamedLeg {
  return { name: "fresh", leg: { kind: "fresh", language, limit } };
}

function among(name: LegName, contentIds: readonly ContentId[], limit: number): NamedLeg {
  return { name, leg: { kind: "among", contentIds, limit } };
}
