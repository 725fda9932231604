import type { Answer } from "../../shared/api.ts";

export type Experiment = Answer<"adminListExperiments">["data"][number];
export type ExperimentReport = Answer<"adminReportExperiment">["data"];

export const ARMS = ["control", "variant"] as const;
export type Arm = (typeof ARMS)[number];
