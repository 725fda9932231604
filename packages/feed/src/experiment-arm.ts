import { hash } from "node:crypto";
import type { Experiment, ExperimentArm, ExperimentPlace } from "@feed/domain/experiment";
import type { SubjectId } from "@feed/domain/ids";
import type { Scenario } from "@feed/domain/scenario";
import type { FeedDependencies } from "./dependencies.ts";
import type { Reader } from "./reader.ts";

/** 48 bits: every value is exact in a double. */
const FRACTION_BYTES = 6;
const FRACTIONS = 2 ** (8 * FRACTION_BYTES);

/** A scenario as one reader is shown it. */
export interface ScenarioInArm {
  readonly scenario: Scenario;
  /** Null where the reader is in no arm. */
  readonly place: ExperimentPlace | null;
}

/**
 * The arm of a user: the same on every node and after every restart, and independent of other experiments, since the
 * experiment's id salts the hash (Kohavi, Longbotham, Sommerfield, Henne 2009, "Controlled experiments on the web":
 * hash and partition by a cryptographic hash). A user is in the variant from some share on, so that a change of the
 * share moves only those between the two.
 */
export function armOf(
  { experimentId, variantShare }: Pick<Experiment, "experimentId" | "variantShare">,
  subjectId: SubjectId,
): ExperimentArm {
  const digest = hash("sha256", `${experimentId}\n${subjectId}`, "buffer");
  const fraction = digest.readUIntBE(0, FRACTION_BYTES) / FRACTIONS;
  return fraction < variantShare ? "variant" : "control";
}

/**
 * The scenario for a reader: with the variant's settings where an experiment says so. Readers without a subject are shown
 * the control and are in no arm; so is everybody for a scenario that is not the live version, such as a draft.
 */
export function scenarioInArm(
  { directory }: Pick<FeedDependencies, "directory">,
  scenario: Scenario,
  { user }: Reader,
): ScenarioInArm {
  const { tenantId, name } = scenario;
  if (user === undefined) return { scenario, place: null };
  const experiment = directory.runningExperiment(tenantId, name);
  if (experiment === undefined || directory.scenario(tenantId, name) !== scenario)
    return { scenario, place: null };
  const arm = armOf(experiment, user.key.subjectId);
  const place = { experimentId: experiment.experimentId, arm };
  if (arm === "control") return { scenario, place };
  return { scenario: { ...scenario, settings: experiment.variantSettings }, place };
}

/** Whether two places are one. */
export function isSamePlace(one: ExperimentPlace | null, other: ExperimentPlace | null): boolean {
  return one?.experimentId === other?.experimentId && one?.arm === other?.arm;
}
