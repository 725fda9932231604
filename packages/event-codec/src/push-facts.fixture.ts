import type { StoredFact } from "@feed/domain/facts";
import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import { BUILT_AT_MS } from "@feed/test-kit";

const tenantId = asId<TenantId>("tenant-1");
const subjectId = asId<SubjectId>("subject-1");
const contentId = asId<ContentId>("content-1");
const pushJob = { tenantId, jobId: "job-1", atMs: BUILT_AT_MS };

/** At least one fact of every type about push jobs, with and without its optional fields. */
export const pushFacts: readonly StoredFact[] = [
  {
    type: "credit-reservation.step",
    tenantId,
    reservationId: "job-1",
    step: "granted",
    tenths: 500_000,
    postedAtMs: BUILT_AT_MS,
    atMs: BUILT_AT_MS + 1,
  },
  {
    type: "push-job.requested",
    ...pushJob,
    scenario: "daily",
    candidatesPerUser: 3,
    targetMode: "condition",
    conditions: { lastActiveDays: 30, registeredFromMs: null, registeredToMs: BUILT_AT_MS },
    userIds: null,
    usersEnds: [0, 5_000_000_000],
    deliveriesEnds: [7],
    keyKind: "live",
  },
  {
    type: "push-job.requested",
    ...pushJob,
    scenario: "daily",
    candidatesPerUser: 1,
    targetMode: "manual",
    conditions: { lastActiveDays: null, registeredFromMs: null, registeredToMs: null },
    userIds: { objectKey: "push/job-1/user-ids", sha256: "ab", count: 2 },
    usersEnds: [],
    deliveriesEnds: [],
    keyKind: "test",
  },
  { type: "push-job.started", ...pushJob },
  {
    type: "push-job.audience-resolved",
    ...pushJob,
    targetUserCount: 3,
    chunkUsers: 2,
    chunkCount: 2,
    audienceKey: "push/job-1/a",
    basisKey: "push/job-1/basis",
    filterStats: null,
  },
  {
    type: "push-job.chunk-done",
    ...pushJob,
    chunk: 1,
    partKey: "push/job-1/part-1",
    users: 2,
    usersWithCandidates: 1,
    usersFailed: 1,
    candidates: 2,
    contentIds: [contentId, asId<ContentId>("content-2")],
    subjectIds: [subjectId],
    pickCounts: [2],
    picks: [1, 0],
  },
  {
    type: "push-job.completed",
    ...pushJob,
    scenario: "daily",
    targetUserCount: 3,
    usersFailed: 1,
    candidates: 2,
    creditsTenths: 5,
    filterStats: {
      totalAudience: 9,
      excludedDueToNullLastActive: 1,
      excludedDueToLastActiveDays: 2,
      excludedDueToRegisteredRange: 3,
    },
    resultKey: "push-results/2026-11-01/job-1.jsonl",
    sent: [{ contentId, users: 1 }],
  },
  { type: "push-job.failed", ...pushJob, scenario: "daily", code: "internal", message: "m" },
  { type: "push-job.cancelled", ...pushJob },
  { type: "push-job.closed", ...pushJob },
  { type: "push-chunk.queued", ...pushJob, chunk: 1, jobPartition: 15, audienceOffset: 99 },
];

const webhook = { tenantId, actor: "admin-api", atMs: BUILT_AT_MS };
const delivery = { tenantId, deliveryId: "msg_1", atMs: BUILT_AT_MS };
const attempt = { attempt: 2, tookMs: 15_000, url: "https://receiver.example/hook" };

/** At least one fact of every type about webhooks, with and without its optional fields. */
export const webhookFacts: readonly StoredFact[] = [
  {
    type: "webhook.saved",
    ...webhook,
    url: "https://receiver.example/hook",
    secrets: [
      { sealed: Buffer.from([1, 2]), createdAtMs: BUILT_AT_MS, expiresAtMs: null },
      { sealed: Buffer.from([3]), createdAtMs: 5, expiresAtMs: BUILT_AT_MS + 1 },
    ],
  },
  { type: "webhook.removed", ...webhook },
  { type: "webhook.disabled", ...webhook, url: "https://receiver.example/", reason: "gone" },
  {
    type: "webhook-delivery.queued",
    ...delivery,
    event: "push_job.completed",
    jobId: "job-1",
    isResend: true,
  },
  {
    type: "webhook-delivery.queued",
    ...delivery,
    event: "webhook.test",
    jobId: null,
    isResend: false,
  },
  {
    type: "webhook-delivery.claimed",
    ...delivery,
    attempt: 1,
    claimId: "c",
    leaseEndsAtMs: BUILT_AT_MS + 60_000,
  },
  {
    type: "webhook-delivery.attempted",
    ...delivery,
    ...attempt,
    status: 500,
    error: "answered 500",
    nextAttemptAtMs: BUILT_AT_MS + 5_000,
  },
  {
    type: "webhook-delivery.attempted",
    ...delivery,
    ...attempt,
    status: null,
    error: null,
    nextAttemptAtMs: null,
  },
];
