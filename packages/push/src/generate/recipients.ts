import { resolveAreas } from "@feed/areas";
import { BoundedCache } from "@feed/domain/bounded-cache";
import type { AreaId, ContentId } from "@feed/domain/ids";
import { buildInterests, NO_INTERESTS, type UserInterests } from "@feed/domain/ranking/interests";
import type { Scenario } from "@feed/domain/scenario";
import type { Tenant } from "@feed/domain/tenant";
import type { UserState } from "@feed/domain/user";
import { readerLanguage } from "@feed/feed/reader-language";
import { StatedInterests } from "@feed/feed/stated-interests";
import type { PushDependencies } from "../dependencies.ts";
import type { Recipient } from "./choose-candidates.ts";
import { ReactedArticles } from "./reacted-articles.ts";

/** A stated interest counts as this much of a click, as in a feed. */
const STATED_INTEREST_WEIGHT = 0.5;
const AREA_CONTEXTS_MAX = 10_000;

/** A user who is registered, as the read state knows them. */
export interface KnownUser {
  readonly state: UserState;
  readonly readMarks: ReadonlySet<ContentId>;
  readonly sent: readonly ContentId[];
}

/** Whoever is not registered gets what anybody gets (decisions, "Push jobs": manual mode). */
export function unknownRecipient(sent: readonly ContentId[]): Recipient {
  return {
    interests: NO_INTERESTS,
    followedSources: [],
    blockedSources: [],
    areaIds: [],
    language: null,
    excluded: sent,
  };
}

/** Turns users into recipients for one job. */
export class Recipients {
  readonly #deps: Pick<PushDependencies, "gazetteer">;
  readonly #tenant: Tenant;
  readonly #scenario: Scenario;
  readonly #nowMs: number;
  readonly #stated: StatedInterests;
  readonly #reacted: ReactedArticles;
  /** Many users name the same few places. */
  readonly #areas = new BoundedCache<string, readonly AreaId[]>(AREA_CONTEXTS_MAX);

  constructor(
    deps: Pick<PushDependencies, "contentIndex" | "gazetteer" | "embedder">,
    job: { readonly tenant: Tenant; readonly scenario: Scenario; readonly nowMs: number },
  ) {
    this.#deps = deps;
    this.#tenant = job.tenant;
    this.#scenario = job.scenario;
    this.#nowMs = job.nowMs;
    this.#stated = new StatedInterests(deps.embedder);
    this.#reacted = new ReactedArticles(deps.contentIndex);
  }

  /** Asks what the index knows for all of these users at once. */
  prepare(states: readonly UserState[]): Promise<void> {
    return this.#reacted.learn(states.map(({ interests }) => interests));
  }

  /** Of a user who was prepared for. */
  async of({ state, readMarks, sent }: KnownUser): Promise<Recipient> {
    const { mode } = this.#scenario.settings.language;
    return {
      interests: await this.#interestsOf(state),
      followedSources: state.followedSources,
      blockedSources: state.blockedSources,
      areaIds: this.#areasOf(state),
      language: await readerLanguage(this.#reacted, { state }, mode),
      excluded: [...readMarks, ...sent],
    };
  }

  async #interestsOf({ interests: marks, properties }: UserState): Promise<UserInterests> {
    const stated = properties.interests ?? [];
    if (marks.length === 0 && stated.length === 0) return NO_INTERESTS;
    return buildInterests(marks, this.#reacted.vectors, {
      nowMs: this.#nowMs,
      halfLifeDays: this.#scenario.settings.interestHalfLifeDays,
      stated: stated.length === 0 ? [] : await this.#stated.vectorsOf(stated),
      statedWeight: STATED_INTEREST_WEIGHT,
    });
  }

  #areasOf({ properties }: UserState): readonly AreaId[] {
    const { area_names: names = [], area_level: level } = properties;
    if (names.length === 0) return [];
    const key = JSON.stringify([level, names]);
    const known = this.#areas.get(key);
    if (known !== undefined) return known;
    const resolved = resolveAreas(
      {
        names,
        from: "profile",
        scope: this.#tenant.areaScope,
        ...(level === undefined ? {} : { level }),
      },
      this.#deps.gazetteer,
    );
    const areaIds =
      resolved.kind === "resolved" ? resolved.areas.matched.map(({ area }) => area.id) : [];
    this.#areas.set(key, areaIds);
    return areaIds;
  }
}
