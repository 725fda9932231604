import type { ExperimentPlace } from "@feed/domain/experiment";
import type { BehaviourKind } from "@feed/domain/facts";
import type {
  ContentId,
  SessionRef,
  SourceId,
  SubjectId,
  TenantId,
  UserId,
} from "@feed/domain/ids";

/** Rows for the activity store, one type for each table of schemas/clickhouse. Times are Unix milliseconds. */
export interface EventRow {
  readonly tenantId: TenantId;
  readonly subjectId: SubjectId;
  readonly ofUser: boolean;
  readonly eventId: string;
  readonly kind: BehaviourKind;
  readonly sessionRef?: SessionRef;
  readonly contentId?: ContentId;
  readonly surface?: "feed" | "push";
  readonly scenario?: string;
  readonly deliveryId?: string;
  readonly position?: number;
  readonly occurredAtMs: number;
  readonly receivedAtMs: number;
  readonly offset: number;
}

/** A change to a user that is no behavioural event, or a login's attributes. */
export interface UserChangeRow {
  readonly tenantId: TenantId;
  readonly subjectId: SubjectId;
  readonly offset: number;
  readonly changedAtMs: number;
  /** PUT creates a user; PATCH changes one that exists. */
  readonly creates: boolean;
  readonly deletes: boolean;
  /** Present where the change sets or clears the property; null clears it. */
  readonly registeredAtMs?: number | null;
}

/** The one table with user ids (architecture rule 7). */
export interface IdentityRow {
  readonly tenantId: TenantId;
  readonly subjectId: SubjectId;
  readonly userId: UserId;
}

export interface DeliveryRow {
  readonly tenantId: TenantId;
  readonly requestId: string;
  /** `push`: a job's settled reservation, under the job's id. */
  readonly endpoint: "feed" | "content" | "push";
  readonly subjectId?: SubjectId;
  readonly scenario?: string;
  /** Where the user was in an arm of an experiment. */
  readonly experiment?: ExperimentPlace;
  readonly contentIds: readonly ContentId[];
  readonly positions: readonly number[];
  readonly scores: readonly number[];
  readonly creditsTenths: number;
  readonly servedAtMs: number;
}

export interface UsageCapRow {
  readonly tenantId: TenantId;
  readonly capTenths: number | null;
  readonly actor: string;
  readonly atMs: number;
  readonly offset: number;
}

export interface ContentRow {
  readonly contentId: ContentId;
  readonly sourceId: SourceId;
  readonly title: string;
  readonly category: string;
  readonly language: string;
  readonly publishedAtMs: number;
  readonly withdrawn: boolean;
  readonly offset: number;
}

/** A push job that has ended. */
export interface PushJobRow {
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly scenario: string;
  readonly status: "completed" | "failed";
  /** Empty for a completed job. */
  readonly errorCode: string;
  readonly targetUsers: number;
  readonly usersFailed: number;
  readonly candidates: number;
  readonly creditsTenths: number;
  readonly endedAtMs: number;
  /** The lowest offset is the end that stands. */
  readonly offset: number;
}

/** One article of a completed job's result. */
export interface PushSentRow {
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly scenario: string;
  readonly contentId: ContentId;
  readonly users: number;
  readonly sentAtMs: number;
}

export interface ActivityRows {
  readonly events: readonly EventRow[];
  readonly userChanges: readonly UserChangeRow[];
  readonly identities: readonly IdentityRow[];
  /** Subjects whose identity is removed, after the identities above are written. */
  readonly forgotten: readonly { readonly tenantId: TenantId; readonly subjectId: SubjectId }[];
  readonly deliveries: readonly DeliveryRow[];
  readonly usageCaps: readonly UsageCapRow[];
  readonly contents: readonly ContentRow[];
  readonly pushJobs: readonly PushJobRow[];
  readonly pushSent: readonly PushSentRow[];
}

export const NO_ROWS: ActivityRows = {
  events: [],
  userChanges: [],
  identities: [],
  forgotten: [],
  deliveries: [],
  usageCaps: [],
  contents: [],
  pushJobs: [],
  pushSent: [],
};
