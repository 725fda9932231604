import type { ArmCounts } from "@feed/activity-store";
import type { Experiment } from "@feed/domain/experiment";
import {
  compareArms,
  wilsonInterval,
  type Estimate,
  type Proportion,
  type SampleRatio,
} from "@feed/domain/experiment-statistics";
import type {
  ExperimentArmReport,
  ExperimentRecord,
  ExperimentReportAnswer,
} from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";
import { presentSettings } from "./scenario-settings.ts";

type ExperimentReport = ExperimentReportAnswer["data"];

const DIGITS = 1e6;
/** Of a probability, which may be very small. */
const PROBABILITY_DIGITS = 3;

export function presentExperiment(experiment: Experiment): ExperimentRecord {
  const { end } = experiment;
  return {
    experiment_id: experiment.experimentId,
    scenario: experiment.scenario,
    name: experiment.name,
    status: end === null ? "running" : "ended",
    control_version: experiment.controlVersion,
    variant: {
      version: experiment.variantVersion,
      settings: presentSettings(experiment.variantSettings),
    },
    variant_share: experiment.variantShare,
    share_set_at: isoTime(experiment.shareSetAtMs),
    started_by: experiment.startedBy,
    started_at: isoTime(experiment.startedAtMs),
    end: end && {
      outcome: end.outcome,
      ended_by: end.endedBy,
      ended_at: isoTime(end.endedAtMs),
      adopted_version: end.adoptedVersion,
    },
  };
}

/** What was counted in both arms, and what it says about the variant. */
export function presentReport(
  { shareSetAtMs, variantShare }: Experiment,
  arms: Readonly<Record<"control" | "variant", ArmCounts>>,
): ExperimentReport {
  const { conclusion, difference, sampleRatio } = compareArms(
    clickersOf(arms.control),
    clickersOf(arms.variant),
    variantShare,
  );
  return {
    counted_from: isoTime(shareSetAtMs),
    control: presentArm(arms.control),
    variant: presentArm(arms.variant),
    sample_ratio: sampleRatio && presentRatio(sampleRatio),
    conclusion,
    difference: difference && presentEstimate(difference),
  };
}

function presentRatio(ratio: SampleRatio): NonNullable<ExperimentReport["sample_ratio"]> {
  return {
    variant_share: rounded(ratio.variantShare),
    planned_variant_share: ratio.plannedVariantShare,
    chi_squared: rounded(ratio.chiSquared),
    p_value: Number(ratio.pValue.toPrecision(PROBABILITY_DIGITS)),
    mismatch: ratio.isMismatch,
  };
}

function presentArm(counts: ArmCounts): ExperimentArmReport {
  const { users, feeds, items, impressions, clicks, usersClicked } = counts;
  const share = wilsonInterval(clickersOf(counts));
  return {
    users,
    feeds,
    items,
    impressions,
    clicks,
    click_through_rate: impressions === 0 ? null : rounded(clicks / impressions),
    users_clicked: usersClicked,
    users_clicked_share: share && presentEstimate(share),
  };
}

function clickersOf({ users, usersClicked }: ArmCounts): Proportion {
  return { users, clicked: usersClicked };
}

function presentEstimate({ value, low, high }: Estimate): Estimate {
  return { value: rounded(value), low: rounded(low), high: rounded(high) };
}

function rounded(value: number): number {
  return Math.round(value * DIGITS) / DIGITS;
}
