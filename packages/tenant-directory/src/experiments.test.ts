import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import type { ExperimentFact } from "@feed/domain/experiment";
import { asId, type TenantId } from "@feed/domain/ids";
import type { DirectoryFact } from "@feed/domain/facts";
import { testSpaceOf } from "@feed/domain/tenant";
import { EXPERIMENTS_KEPT_MAX } from "@feed/domain/limits";
import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import { manualClock, temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTenantDirectory, type TenantDirectory } from "./index.ts";

const clock = manualClock(Date.UTC(2026, 0, 1));
const FRESH = { ...DEFAULT_SCENARIO_SETTINGS, freshnessHalfLifeHours: 6 };
const stamp = { actor: "editor", atMs: clock.nowMs() };
const stack = new AsyncDisposableStack();
let directory: TenantDirectory;
let tenantId: TenantId;
let tenants = 0;
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: path }));
  const codec = createFactCodec(openBundledRegistry());
  const onUnreadable = (_offset: number, reason: unknown) => expect.fail(String(reason));
  directory = stack.use(await openTenantDirectory({ eventLog, codec, clock, onUnreadable }));
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  tenants += 1;
  tenantId = asId<TenantId>(`tenant-${tenants}`);
  await directory.change([saved(1), saved(2)]);
});

function saved(version: number, scenarioType: "feed" | "push" = "feed"): DirectoryFact {
  const settings = DEFAULT_SCENARIO_SETTINGS;
  return {
    type: "scenario.saved",
    tenantId,
    name: "home",
    scenarioType,
    version,
    settings,
    ...stamp,
  };
}

function started(experimentId: string, controlVersion = 2): ExperimentFact {
  const variant = { variantVersion: null, variantSettings: FRESH, variantShare: 0.25 };
  const name = "Fresher";
  const of = { tenantId, experimentId, scenario: "home", name, controlVersion };
  return { type: "experiment.started", ...of, ...variant, ...stamp };
}

function ended(experimentId: string, outcome: "adopted" | "kept"): ExperimentFact {
  const of = { tenantId, experimentId, scenario: "home" };
  return { type: "experiment.ended", ...of, outcome, ...stamp, atMs: stamp.atMs + 5 };
}

const running = () => directory.runningExperiment(tenantId, "home");
const versions = () =>
  directory.scenarioVersions(tenantId, "home").map(({ version, settings }) => ({
    version,
    isVariant: settings.freshnessHalfLifeHours === FRESH.freshnessHalfLifeHours,
  }));

describe("Experiments", () => {
  it("run from their start to their end, one at a time for each scenario", async () => {
    expect(running()).toBeUndefined();
    await directory.change([started("a"), started("b")]);
    expect(running()).toMatchObject({ experimentId: "a", variantShare: 0.25, startedBy: "editor" });
    expect(directory.runningExperiment(testSpaceOf(tenantId), "home")).toBe(running());
    await directory.change([ended("b", "adopted"), ended("a", "kept"), ended("a", "adopted")]);
    expect(running()).toBeUndefined();
    const [only, ...others] = directory.experiments(tenantId, "home");
    expect(others).toEqual([]);
    expect(only?.end).toEqual({
      outcome: "kept",
      endedBy: "editor",
      endedAtMs: stamp.atMs + 5,
      adoptedVersion: null,
    });
    expect(versions()).toHaveLength(2);
    await directory.change([started("c")]);
    expect(running()?.experimentId).toBe("c");
  });

  it("compare with the live version of a feed scenario, and with nothing else", async () => {
    await directory.change([started("a", 1)]);
    expect(running()).toBeUndefined();
    const push = { ...saved(1, "push"), name: "evening" } as DirectoryFact;
    await directory.change([push, { ...started("b", 1), scenario: "evening" }]);
    expect(directory.experiments(tenantId, "evening")).toEqual([]);
  });

  it("keep the control as it is until they end", async () => {
    await directory.change([started("a"), saved(3)]);
    expect(versions().map(({ version }) => version)).toEqual([1, 2]);
    await directory.change([ended("a", "kept"), saved(3)]);
    expect(versions().map(({ version }) => version)).toEqual([1, 2, 3]);
  });

  it("make their variant the next version where it is adopted", async () => {
    await directory.change([started("a"), ended("a", "adopted")]);
    expect(versions().at(-1)).toEqual({ version: 3, isVariant: true });
    expect(directory.experiments(tenantId, "home")[0]?.end?.adoptedVersion).toBe(3);
    const [, , adopted] = directory.scenarioVersions(tenantId, "home");
    expect([adopted?.savedBy, adopted?.savedAtMs]).toEqual(["editor", stamp.atMs + 5]);
  });

  it("are compared anew from the moment in which their share is another", async () => {
    const of = { tenantId, experimentId: "a", scenario: "home", actor: "editor" };
    const share = { type: "experiment.share-set", ...of, variantShare: 0.5 } as const;
    await directory.change([started("a"), { ...share, atMs: stamp.atMs + 7 }]);
    expect(running()).toMatchObject({ variantShare: 0.5, shareSetAtMs: stamp.atMs + 7 });
    expect(running()?.startedAtMs).toBe(stamp.atMs);
    await directory.change([ended("a", "kept"), { ...share, variantShare: 0.9, atMs: 1 }]);
    expect(directory.experiments(tenantId, "home")[0]?.variantShare).toBe(0.5);
  });

  it("are kept up to a number for each scenario", async () => {
    const many = Array.from({ length: EXPERIMENTS_KEPT_MAX + 1 }, (_, at) => `e${at}`);
    await directory.change(many.flatMap((id) => [started(id), ended(id, "kept")]));
    const kept = directory.experiments(tenantId, "home").map(({ experimentId }) => experimentId);
    expect(kept).toEqual(many.slice(1));
  });
});
