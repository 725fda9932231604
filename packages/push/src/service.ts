import type { ContentId, UserId } from "@feed/domain/ids";
import type { PushJobState } from "@feed/domain/push";
import type { FilterStats, PushConditions, TargetMode } from "@feed/domain/push-facts";
import type { Scenario } from "@feed/domain/scenario";
import type { Tenant } from "@feed/domain/tenant";
import type { TenantId } from "@feed/domain/ids";
import type { Explanation } from "@feed/feed";
import type { PushJobPlace } from "@feed/read-state";

/** Spec 4.5, already validated; the scenario is looked up by the caller. */
export interface PushRequest {
  readonly tenant: Tenant;
  readonly scenario: Scenario;
  readonly candidatesPerUser: number;
  readonly targetMode: TargetMode;
  readonly conditions: PushConditions;
  /** Of manual mode, each once. */
  readonly userIds: readonly UserId[];
  readonly keyKind: "live" | "test";
  /** Names the job, together with the tenant; absent: `requestId` does. */
  readonly idempotencyKey?: string;
  readonly requestId: string;
  readonly nowMs: number;
}

export type PushAcceptance =
  | { readonly kind: "accepted"; readonly jobId: string }
  | { readonly kind: "usage-limit-exceeded"; readonly capTenths: number };

/** A job as its tenant sees it (spec 2.8). */
export interface PushJobView {
  readonly state: PushJobState;
  readonly progress: number;
  /** Null until the job is completed, and once its result is gone. */
  readonly download: { readonly url: string; readonly expiresAtMs: number } | null;
}

export type CancelAnswer =
  | { readonly kind: "not-found" }
  | { readonly kind: "has-ended"; readonly view: PushJobView }
  | { readonly kind: "cancelled"; readonly view: PushJobView }
  /** Appended, but not seen within READ_YOUR_WRITES_TIMEOUT_MS. */
  | { readonly kind: "not-yet-visible" };

/** What a job would come to, without one (`?dry_run=true`). */
export interface DryRun {
  readonly audience: number;
  readonly filterStats: FilterStats | null;
  /** Lines of a result file, as JSON values. */
  readonly rows: readonly unknown[];
}

/** Of what one user would get; absent: of what whoever is not known gets. */
export interface PushPreviewRequest extends Pick<
  PushRequest,
  "tenant" | "scenario" | "candidatesPerUser" | "requestId" | "nowMs"
> {
  readonly userId?: UserId;
}

export interface PushPreviewItem {
  readonly contentId: ContentId;
  /** 0 to 1. */
  readonly score: number;
  readonly explanation: Explanation;
}

/** Push jobs for the API. Errors: of the parts that are away, as they throw them. */
export interface PushService {
  /** Resolves when the request is durable, and as a rule visible. */
  request(request: PushRequest): Promise<PushAcceptance>;
  find(tenantId: TenantId, jobId: string, nowMs: number): Promise<PushJobView | undefined>;
  /** Newest first. */
  list(
    tenantId: TenantId,
    after: PushJobPlace | null,
    limit: number,
    nowMs: number,
  ): Promise<readonly PushJobView[]>;
  cancel(tenantId: TenantId, jobId: string, nowMs: number): Promise<CancelAnswer>;
  /** Best first; free, not recorded, and without tokens by which it could be reported. */
  preview(request: PushPreviewRequest): Promise<readonly PushPreviewItem[]>;
  dryRun(request: PushRequest): Promise<DryRun>;
}
