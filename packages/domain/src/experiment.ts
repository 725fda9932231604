import type { TenantId } from "./ids.ts";
import type { ScenarioSettings } from "./scenario.ts";

/** `control`: the scenario as it is live; `variant`: other settings of it. */
export const EXPERIMENT_ARMS = ["control", "variant"] as const;
export type ExperimentArm = (typeof EXPERIMENT_ARMS)[number];

/** `adopted`: the variant's settings became the scenario's next version; `kept`: the scenario stayed as it was. */
export const EXPERIMENT_OUTCOMES = ["adopted", "kept"] as const;
export type ExperimentOutcome = (typeof EXPERIMENT_OUTCOMES)[number];

/** In which arm of which experiment something was served. */
export interface ExperimentPlace {
  readonly experimentId: string;
  readonly arm: ExperimentArm;
}

/** A comparison of two ways to rank one feed scenario, each user being shown one of them. */
export interface Experiment {
  readonly experimentId: string;
  readonly tenantId: TenantId;
  readonly scenario: string;
  /** What people call it. */
  readonly name: string;
  /** Version of the scenario that the control is. It stays the live one for as long as the experiment runs. */
  readonly controlVersion: number;
  /** Version the variant was taken from; null: settings that were never saved. */
  readonly variantVersion: number | null;
  readonly variantSettings: ScenarioSettings;
  /** Share of the users who are shown the variant, above 0 and below 1. */
  readonly variantShare: number;
  /** Users are in the arms of this share since then: the comparison begins here. */
  readonly shareSetAtMs: number;
  readonly startedBy: string;
  readonly startedAtMs: number;
  /** Null: it runs. */
  readonly end: ExperimentEnd | null;
}

export interface ExperimentEnd {
  readonly outcome: ExperimentOutcome;
  readonly endedBy: string;
  readonly endedAtMs: number;
  /** Version that was made of the variant; null where the control was kept. */
  readonly adoptedVersion: number | null;
}

interface ExperimentFactBase {
  readonly actor: string;
  readonly atMs: number;
  readonly tenantId: TenantId;
  readonly experimentId: string;
  /** Name of the scenario. */
  readonly scenario: string;
}

/** Of topic `tenants`. What can't be, such as a second running experiment of a scenario, has no effect. */
export type ExperimentFact = ExperimentStarted | ExperimentShareSet | ExperimentEnded;

export interface ExperimentStarted extends ExperimentFactBase {
  readonly type: "experiment.started";
  readonly name: string;
  readonly controlVersion: number;
  readonly variantVersion: number | null;
  readonly variantSettings: ScenarioSettings;
  readonly variantShare: number;
}

export interface ExperimentShareSet extends ExperimentFactBase {
  readonly type: "experiment.share-set";
  readonly variantShare: number;
}

/** Where the variant is adopted, this fact is also the scenario's next version: there is nothing between the two. */
export interface ExperimentEnded extends ExperimentFactBase {
  readonly type: "experiment.ended";
  readonly outcome: ExperimentOutcome;
}
