import type { Answer } from "../../shared/api.ts";

/** One version of a scenario. */
export type Scenario = Answer<"adminListScenarios">["data"][number];
export type Tenant = Answer<"adminGetTenant">["data"];
