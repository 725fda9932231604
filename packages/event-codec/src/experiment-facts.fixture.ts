import type { StoredFact } from "@feed/domain/facts";
import { asId, type TenantId } from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import { BUILT_AT_MS } from "@feed/test-kit";

const tenantId = asId<TenantId>("tenant-1");
const change = { actor: "person_1", atMs: BUILT_AT_MS, tenantId, experimentId: "exp-1" };
const started = {
  type: "experiment.started",
  ...change,
  scenario: "main",
  name: "鮮度を下げる",
  controlVersion: 3,
  variantSettings: DEFAULT_SCENARIO_SETTINGS,
  variantShare: 0.1,
} as const;

/** Facts about experiments. */
export const experimentFacts: readonly StoredFact[] = [
  { ...started, variantVersion: 2 },
  { ...started, variantVersion: null },
  { type: "experiment.share-set", ...change, scenario: "main", variantShare: 0.5 },
  { type: "experiment.ended", ...change, scenario: "main", outcome: "adopted" },
  { type: "experiment.ended", ...change, scenario: "main", outcome: "kept" },
];
