import type { AmbiguousAreaName, AreaLevel, ResolvedAreas } from "@feed/domain/area";
import type { ExperimentArm } from "@feed/domain/experiment";
import type { ContentId, UserId } from "@feed/domain/ids";
import type { RankingRule, Scenario } from "@feed/domain/scenario";
import type { Licence, Tenant } from "@feed/domain/tenant";

export type BodyFormat = "markdown" | "html";

export interface BodyOptions {
  readonly includeBody: boolean;
  readonly bodyFormat: BodyFormat;
}

/** Spec 4.1, already validated; the scenario is looked up by the caller. */
export interface FeedRequest extends BodyOptions {
  readonly tenant: Tenant;
  /** The live version as the directory has it takes part in experiments; another, such as a draft, in none. */
  readonly scenario: Scenario;
  readonly requestId: string;
  readonly userId?: UserId;
  readonly limit: number;
  readonly cursor?: string;
  /** As sent; empty: fall back to the profile's (spec 4.1 rule 2). */
  readonly areaNames: readonly string[];
  readonly areaLevel?: AreaLevel;
  readonly explain: boolean;
  readonly nowMs: number;
}

export interface ItemSource {
  readonly source_id: string;
  readonly name: string;
  readonly url: string;
  readonly title_rewrite_allowed: boolean;
}

export interface Thumbnail {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

export interface ContentBody {
  readonly content_body: string;
  readonly body_format: BodyFormat;
}

/** Spec 2.1, in the words of the API: every field is named here and nowhere else. */
export interface ContentItem {
  readonly id: ContentId;
  readonly title: string;
  readonly url: string;
  readonly canonical_url: string;
  readonly summary: string;
  readonly thumbnail: Thumbnail;
  readonly body_excerpt: string;
  readonly content_body?: ContentBody["content_body"];
  readonly body_format?: BodyFormat;
  readonly author?: string;
  readonly published_at: string;
  readonly source: ItemSource;
}

/** Why an item is where it is (decisions, "Feed": `?explain=true`). */
export interface Explanation {
  /** Weighted parts of the score, which sum to the score before boosts. */
  readonly parts: Readonly<Record<"relevance" | "freshness" | "engagement" | "quality", number>>;
  /** Factors multiplied onto it, by name: `followed_source`, `area`, `language`. */
  readonly boosts: Readonly<Record<string, number>>;
  /** Which recall legs found it, in words: `interest`, `fresh`, `popular`, `area`, `followed`, `exploration`, `pin`, `rule`. */
  readonly found_by: readonly string[];
  /** The scenario's rules that lifted or buried it; absent where none matches. */
  readonly ranking_rules?: readonly RankingRule[];
  /** Article the user reacted to that is nearest, where an interest found it. */
  readonly because_of?: { readonly content_id: string; readonly title: string };
  /** Places it was moved by diversity, and why; 0 and absent where it was not. */
  readonly moved: number;
  readonly rule?: "source_cap" | "category_cap" | "similar_to_others" | "pin" | "exploration";
}

export interface FeedItem {
  /** The same object in every feed for as long as it is kept: what is made of it can be kept with it. */
  readonly content: ContentItem;
  /** Only where asked for and licensed. */
  readonly body?: ContentBody;
  readonly score: number;
  readonly tracking_token: string;
  readonly explanation?: Explanation;
}

export type FeedAnswer =
  | {
      readonly kind: "page";
      readonly items: readonly FeedItem[];
      readonly nextCursor: string | null;
      readonly resolvedAreas: ResolvedAreas;
      /** 0 where the log was away and nothing could be recorded. */
      readonly creditsTenths: number;
    }
  | { readonly kind: "invalid-cursor" }
  | { readonly kind: "ambiguous-area"; readonly names: readonly AmbiguousAreaName[] }
  | { readonly kind: "usage-limit-exceeded"; readonly capTenths: number };

/** What a feed would be now. */
export type FeedPreview =
  | {
      readonly kind: "page";
      readonly items: readonly PreviewItem[];
      /** Null: the user is in no experiment of the scenario. */
      readonly arm: ExperimentArm | null;
    }
  | { readonly kind: "ambiguous-area"; readonly names: readonly AmbiguousAreaName[] };

export type PreviewItem = Pick<FeedItem, "content" | "score"> &
  Required<Pick<FeedItem, "explanation">>;

/** Spec 4.2. */
export interface ContentRequest extends BodyOptions {
  readonly tenant: Tenant;
  readonly contentId: ContentId;
  readonly requestId: string;
  readonly nowMs: number;
}

export type ContentAnswer =
  | { readonly kind: "found"; readonly item: ContentItem; readonly creditsTenths: number }
  | { readonly kind: "not-found" }
  | { readonly kind: "usage-limit-exceeded"; readonly capTenths: number };

/** What people who look after articles ask for one by. */
export interface CatalogueRequest {
  readonly tenant: Tenant;
  readonly contentId: ContentId;
  readonly nowMs: number;
}

export interface CatalogueSearch {
  readonly tenant: Tenant;
  /** Words, or an id; empty: the newest articles. */
  readonly text: string;
  readonly limit: number;
  readonly nowMs: number;
}

/** An article as the tenant would get it, and whether the tenant gets it. */
export interface CatalogueItem {
  readonly item: ContentItem;
  readonly licence: Licence;
  readonly isWithheld: boolean;
}

/**
 * What GET /v1/feed and GET /v1/contents/{content_id} answer, charged and recorded: credits are taken, the
 * delivery is appended and durable before the answer is given.
 *
 * Errors: ContentIndexUnavailable and ReadStateUnavailable as architecture section 2's table says; a log that
 * is away is no error (credits 0).
 */
export interface FeedService {
  feed(request: FeedRequest): Promise<FeedAnswer>;
  content(request: ContentRequest): Promise<ContentAnswer>;
  /** The first page of a feed, explained; free, not recorded, and without tokens by which it could be reported. */
  preview(request: Omit<FeedRequest, "explain" | "cursor">): Promise<FeedPreview>;
  /** Articles of every source by words or id, licensed or not; free and not recorded. */
  searchCatalogue(request: CatalogueSearch): Promise<readonly CatalogueItem[]>;
  /** One article with the body the tenant is licensed to; free and not recorded. Undefined where there is none. */
  findInCatalogue(request: CatalogueRequest): Promise<CatalogueItem | undefined>;
}
