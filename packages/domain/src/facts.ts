import type { Article } from "./article.ts";
import type { DirectoryFact } from "./directory-facts.ts";
import type { ExperimentPlace } from "./experiment.ts";
import type {
  ContentId,
  SessionRef,
  SourceId,
  SubjectId,
  TenantId,
  UserId,
  UserRef,
} from "./ids.ts";
import type { OperatingFact } from "./operating-facts.ts";
import type { PushChunkQueued, PushJobFact } from "./push-facts.ts";
import type { UserProperties } from "./user.ts";
import type { WebhookDeliveryFact } from "./webhook.ts";

export type { ActionRecorded, DirectoryFact, UsageThresholdReached } from "./directory-facts.ts";

/**
 * Personal fields as they lie in the log: AES-256-GCM under a key of the subject (architecture rule 7).
 * The key is record `keyOffset` of the `user-keys` partition with the record's own partition number.
 */
export interface Sealed {
  readonly keyId: string;
  readonly keyOffset: number;
  readonly bytes: Uint8Array;
}

/** Opened personal fields, or null where their key is gone: the subject was deleted. */
export type Opened<Fields> = Fields | null;

export const BEHAVIOUR_KINDS = [
  "login",
  "session_start",
  "click",
  "impression",
  "return",
  "share",
  "like",
  "dislike",
] as const;
export type BehaviourKind = (typeof BEHAVIOUR_KINDS)[number];

/** What a tracking token says about where delivered content was shown. */
export interface DeliveryOrigin {
  readonly surface: "feed" | "push";
  readonly scenario: string;
  /** Request id of a feed, job id of a push. */
  readonly deliveryId: string;
  readonly position: number;
  readonly deliveredAtMs: number;
}

interface UserFactBase<Personal> {
  readonly tenantId: TenantId;
  readonly subjectId: SubjectId;
  readonly receivedAtMs: number;
  readonly personal: Personal;
}

export interface BehaviourPersonal {
  readonly userId?: UserId;
  readonly sessionId?: string;
  readonly deviceInfo?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Of a login: merged into the user's properties (spec 6.1). */
  readonly userAttributes?: UserProperties;
}

/** One of the eight behavioural events (spec 2.7, 6.1). The subject is the user, else the session, else the event. */
export interface BehaviourRecorded<Personal> extends UserFactBase<Personal> {
  readonly type: "behaviour.recorded";
  readonly eventId: string;
  readonly kind: BehaviourKind;
  /** Whether the subject is a user (true) or a lone session or event. */
  readonly ofUser: boolean;
  readonly sessionRef?: SessionRef | undefined;
  readonly contentId?: ContentId | undefined;
  /** Present when a valid tracking token came with the event. */
  readonly origin?: DeliveryOrigin | undefined;
  readonly occurredAtMs: number;
}

export interface PropertiesPersonal {
  readonly userId: UserId;
  readonly properties: UserProperties;
}

/** PUT /v1/users/{user_id}: the whole set is replaced; the user is created where absent. */
export interface PropertiesReplaced<Personal> extends UserFactBase<Personal> {
  readonly type: "user.properties-replaced";
}

/** PATCH /v1/users/{user_id}: shallow merge; no effect on an absent user. */
export interface PropertiesMerged<Personal> extends UserFactBase<Personal> {
  readonly type: "user.properties-merged";
}

export type SourcePreferenceChange = "follow" | "unfollow" | "block" | "unblock";

/** Follow and block; following a blocked source unblocks it and the other way round; absent user: no effect. */
export interface SourcePreferenceChanged<Personal> extends UserFactBase<Personal> {
  readonly type: "user.source-preference-changed";
  readonly sourceId: SourceId;
  readonly change: SourcePreferenceChange;
}

/** The last fact of a generation: later facts of this subject are dropped. */
export interface UserDeleted {
  readonly type: "user.deleted";
  readonly tenantId: TenantId;
  readonly subjectId: SubjectId;
  readonly userRef: UserRef;
  /** The generation that ends; the next user of this id has one more. */
  readonly generation: number;
  readonly receivedAtMs: number;
}

/** Facts of topic `users` as they lie in the log. */
export type SealedUserFact =
  | BehaviourRecorded<Sealed>
  | PropertiesReplaced<Sealed>
  | PropertiesMerged<Sealed>
  | SourcePreferenceChanged<Sealed>
  | UserDeleted;

/** The same with personal fields opened; projections see these. */
export type UserFact =
  | BehaviourRecorded<Opened<BehaviourPersonal>>
  | PropertiesReplaced<Opened<PropertiesPersonal>>
  | PropertiesMerged<Opened<PropertiesPersonal>>
  | SourcePreferenceChanged<Opened<{ readonly userId: UserId }>>
  | UserDeleted;

/** Topic `user-keys`, keyed `<subjectId>:<keyId>`; its tombstone forgets the key. */
export interface UserKeyCreated {
  readonly type: "user-key.created";
  readonly tenantId: TenantId;
  readonly subjectId: SubjectId;
  readonly keyId: string;
  /** Data key wrapped under the installation's root (AES-256-GCM). */
  readonly wrapped: Uint8Array;
  readonly createdAtMs: number;
}

/** Topic `contents`, keyed by content id. */
export interface ArticlePublished {
  readonly type: "article.published";
  readonly article: Article;
}
export interface ArticleWithdrawn {
  readonly type: "article.withdrawn";
  readonly contentId: ContentId;
  readonly sourceId: SourceId;
  readonly reason: "gone" | "takedown";
  readonly withdrawnAtMs: number;
}
export type ContentFact = ArticlePublished | ArticleWithdrawn;

/** One article in a delivered page. */
export interface DeliveredItem {
  readonly contentId: ContentId;
  readonly position: number;
  readonly score: number;
}

/** Topic `deliveries`: what a charged 200 of GET /v1/feed served. No personal fields: the subject is a pseudonym. */
export interface FeedDelivered {
  readonly type: "feed.delivered";
  readonly tenantId: TenantId;
  /** The user's subject; absent for an anonymous or unregistered one. */
  readonly subjectId?: SubjectId;
  readonly requestId: string;
  readonly scenario: string;
  /** Where the scenario was compared with a variant, and the user was in an arm of that. */
  readonly experiment?: ExperimentPlace;
  readonly items: readonly DeliveredItem[];
  readonly creditsTenths: number;
  readonly servedAtMs: number;
}
export interface ContentDelivered {
  readonly type: "content.delivered";
  readonly tenantId: TenantId;
  readonly requestId: string;
  readonly contentId: ContentId;
  readonly creditsTenths: number;
  readonly servedAtMs: number;
}
export type DeliveryFact = FeedDelivered | ContentDelivered;

/** Topic `credits`, keyed by tenant id. */
export interface UsageCapSet {
  readonly type: "usage-cap.set";
  readonly tenantId: TenantId;
  /** Null lifts the cap. */
  readonly capTenths: number | null;
  readonly actor: string;
  readonly atMs: number;
}

/**
 * One step of a reservation (decisions, "Credits and limits"): asked, then granted or refused in the order of the
 * tenant's partition, then settled or released. `tenths` is what was asked for, and what is charged once settled.
 */
export interface CreditReservationStep {
  readonly type: "credit-reservation.step";
  readonly tenantId: TenantId;
  /** Id of the push job. */
  readonly reservationId: string;
  readonly step: "asked" | "granted" | "refused" | "settled" | "released";
  readonly tenths: number;
  /** When the job was posted: it bills to that month. */
  readonly postedAtMs: number;
  readonly atMs: number;
}
export type CreditFact = UsageCapSet | CreditReservationStep;

/** Everything that can lie in the log, in stored form. */
export type StoredFact =
  | SealedUserFact
  | UserKeyCreated
  | ContentFact
  | DirectoryFact
  | DeliveryFact
  | CreditFact
  | PushJobFact
  | PushChunkQueued
  | WebhookDeliveryFact
  | OperatingFact;
