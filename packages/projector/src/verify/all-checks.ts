import type { FactCodec } from "@feed/event-codec";
import type { PersonalData } from "@feed/personal-data";
import type { KeptReadModels } from "../targets/all.ts";
import { chargesCheck } from "./activity-check.ts";
import type { Check } from "./check.ts";
import { contentsCheck } from "./contents-check.ts";
import { readStateChecks } from "./read-state-checks.ts";
import { usersCheck } from "./users-check.ts";

/** One check for each projection that can be verified, of the read models that are given. */
export function allChecks(
  { contentIndex, readState, activityStore }: KeptReadModels,
  {
    codec,
    personalData,
  }: { readonly codec: FactCodec; readonly personalData: Pick<PersonalData, "openUserFacts"> },
): readonly Check[] {
  const checks: Check[] = [];
  if (contentIndex !== undefined) checks.push(contentsCheck(contentIndex.index, codec));
  if (readState !== undefined)
    checks.push(usersCheck(readState, personalData), ...readStateChecks(readState, codec));
  if (activityStore !== undefined) checks.push(chargesCheck(activityStore, codec));
  return checks;
}
