import type { CreditReservationStep } from "@feed/domain/facts";
import type { ContentId, TenantId, UserRef } from "@feed/domain/ids";
import type { PushJobState } from "@feed/domain/push";
import type { SessionState, SubjectKey, UserState } from "@feed/domain/user";
import type { WebhookDeliveryState } from "@feed/domain/webhook";

/** A user's record and the offset in its `users` partition that last changed it. */
export interface StoredUser {
  readonly kind: "user";
  readonly state: UserState;
  readonly offset: number;
}
/** What is left of a deleted generation: later facts of this subject are dropped. */
export interface ForgottenUser {
  readonly kind: "forgotten";
  readonly offset: number;
}
export type UserRecord = StoredUser | ForgottenUser;

export interface UsageRecord {
  readonly tenths: number;
  readonly offset: number;
}

/** Changes name the record they touch and the offset they come from; one that is not newer is ignored. */
export type ReadStateChange =
  | UserChange
  | UsageChange
  | CapChange
  | ReservationChange
  | PushJobChange
  | SentChange
  | WebhookDeliveryChange;

export type UserChange =
  | {
      readonly kind: "put-user";
      readonly key: SubjectKey;
      readonly state: UserState;
      readonly offset: number;
    }
  | {
      readonly kind: "mark-read";
      readonly key: SubjectKey;
      readonly contentId: ContentId;
      readonly atMs: number;
    }
  | {
      /** Removes the user, the read marks and its part of every session; leaves ForgottenUser and the generation. */
      readonly kind: "forget-user";
      readonly key: SubjectKey;
      readonly userRef: UserRef;
      readonly nextGeneration: number;
      readonly offset: number;
    }
  | {
      /**
       * What one subject's events say about a session, merged into that subject's part by `mergeSessions`
       * (domain/session.ts): any order, any repeats. A session is the merge of its parts, so that forgetting
       * one subject leaves what others said, the same as in a rebuild.
       */
      readonly kind: "merge-session";
      readonly key: SubjectKey;
      readonly session: SessionState;
    };

/** The new sum of one `deliveries` partition for a tenant and month. */
export interface UsageChange {
  readonly kind: "put-usage";
  readonly tenantId: TenantId;
  readonly month: string;
  readonly partition: number;
  readonly tenths: number;
  readonly offset: number;
}

export interface CapChange {
  readonly kind: "put-cap";
  readonly tenantId: TenantId;
  readonly capTenths: number | null;
  readonly offset: number;
}

/** One step of a reservation; `reservationAfter` says what it makes of the stored one. */
export interface ReservationChange {
  readonly kind: "put-reservation-step";
  readonly tenantId: TenantId;
  readonly reservationId: string;
  readonly month: string;
  readonly step: CreditReservationStep["step"];
  readonly tenths: number;
  readonly offset: number;
}

export interface PushJobRecord {
  readonly state: PushJobState;
  /** Of the last fact that changed it, in its partition of `push-jobs`. */
  readonly offset: number;
}

export interface PushJobChange extends PushJobRecord {
  readonly kind: "put-push-job";
  readonly partition: number;
}

/** What a job chose for a user; a second one of the same job and user is ignored. */
export interface SentChange {
  readonly kind: "mark-sent";
  readonly key: SubjectKey;
  readonly jobId: string;
  readonly contentIds: readonly ContentId[];
}

export interface WebhookDeliveryRecord {
  readonly state: WebhookDeliveryState;
  /** Of the last fact that changed it, in its partition of `webhooks`. */
  readonly offset: number;
}

export interface WebhookDeliveryChange extends WebhookDeliveryRecord {
  readonly kind: "put-webhook-delivery";
}
