export { createClient } from "./client.ts";
export type { ClientOptions, ContentFeedClient, FeedParameters } from "./client.ts";
export {
  AnswerError,
  ClientUsageError,
  ConnectionError,
  ContentFeedError,
  PushJobFailedError,
  TimeoutError,
  WebhookVerificationError,
} from "./errors.ts";
export type { DroppedEvents, EventQueue, EventQueueOptions } from "./event-queue.ts";
export type {
  AreaLevel,
  ContentItem,
  Event as BehaviourEvent,
  Fault,
  FeedItem,
  FilterStats,
  Licence,
  Problem,
  PushDryRun,
  PushJob,
  PushJobAccepted,
  PushJobCompletedEvent,
  PushJobFailedEvent,
  PushRequest,
  PushRow,
  ResolvedAreas,
  Thumbnail,
  User,
  UserProperties,
  WebhookTestEvent,
} from "./openapi.generated.ts";
export {
  AmbiguousAreaError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  IdempotencyKeyReusedError,
  InternalError,
  InvalidCursorError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  ProblemError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
  UnsupportedMediaTypeError,
  UsageLimitExceededError,
  ValidationError,
} from "./problems.ts";
export type { CompletedPushJob, PushJobs, WaitOptions } from "./push-jobs.ts";
export type { Answer, AnswerReport, CallOptions, OperationName, PostOptions } from "./transport.ts";
export type { Users } from "./users.ts";
export { verifyWebhook } from "./webhook.ts";
export type { VerifiedDelivery, WebhookDelivery, WebhookEvent } from "./webhook.ts";
