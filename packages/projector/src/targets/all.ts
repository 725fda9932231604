import type { ActivityStore } from "@feed/activity-store";
import type { ContentIndex } from "@feed/content-index";
import type { Embedder } from "@feed/embedder";
import type { FactCodec } from "@feed/event-codec";
import type { PersonalData } from "@feed/personal-data";
import type { ReadState } from "@feed/read-state";
import type { ProjectionTarget } from "../target.ts";
import { activityTargets } from "./activity-store.ts";
import { contentsTarget } from "./content-index.ts";
import {
  capsTarget,
  pushJobsTarget,
  usageTarget,
  usersTarget,
  webhooksTarget,
} from "./read-state.ts";

/** Read models that are given are kept; the others are left to another process. */
export interface KeptReadModels {
  readonly readState?: ReadState;
  /** With what re-embeds articles of another model, so that changing the model is a rebuild. */
  readonly contentIndex?: {
    readonly index: ContentIndex;
    readonly embedder: Pick<Embedder, "embed" | "model">;
  };
  readonly activityStore?: ActivityStore;
}

/** A target whose facts and changes only it looks into. */
export type AnyTarget = ProjectionTarget<unknown, unknown>;

/** One target for each of the read models and each topic that goes into it. */
export function projectionTargets(
  { readState, contentIndex, activityStore }: KeptReadModels,
  {
    codec,
    personalData,
  }: {
    readonly codec: FactCodec;
    readonly personalData: Pick<PersonalData, "openUserFacts" | "forgetAll">;
  },
): readonly AnyTarget[] {
  const targets: AnyTarget[] = [];
  if (contentIndex !== undefined)
    targets.push(contentsTarget(contentIndex.index, contentIndex.embedder, codec));
  if (readState !== undefined) {
    targets.push(
      usersTarget(readState, personalData),
      usageTarget(readState, codec),
      capsTarget(readState, codec),
      pushJobsTarget(readState, codec),
      webhooksTarget(readState, codec),
    );
  }
  if (activityStore !== undefined)
    targets.push(...Object.values(activityTargets(activityStore, { codec, personalData })));
  return targets;
}
