import { READ_MODELS } from "@feed/domain/read-models";
import type { ReadModel } from "@feed/domain/read-models";
import type { Topic } from "@feed/domain/topics";

/** Every projection by the name that commands, metrics, dead letters and consumer groups call it, with its topic. */
export const PROJECTIONS = {
  "content-index": "contents",
  "read-state.users": "users",
  "read-state.deliveries": "deliveries",
  "read-state.credits": "credits",
  "read-state.push-jobs": "push-jobs",
  "read-state.webhooks": "webhooks",
  "activity-store.users": "users",
  "activity-store.deliveries": "deliveries",
  "activity-store.credits": "credits",
  "activity-store.contents": "contents",
  "activity-store.push-jobs": "push-jobs",
} as const satisfies Record<string, Topic>;

export type ProjectionName = keyof typeof PROJECTIONS;

export const PROJECTION_NAMES = Object.keys(PROJECTIONS) as readonly ProjectionName[];

/** The consumer group of the projectors of a projection, in one version of its read model. */
export function projectorGroup(projection: string, version = 1): string {
  return `projector.${projection}${version === 1 ? "" : `.v${version}`}`;
}

/** The read model that a projection writes. */
export function readModelOf(projection: ProjectionName): ReadModel {
  const readModel = READ_MODELS.find((name) => projection.split(".")[0] === name);
  if (readModel === undefined) throw new RangeError(`${projection} writes no read model`);
  return readModel;
}
