import { DEFAULT_SCENARIO_SETTINGS } from "@feed/domain/scenario";
import type { ScenarioSettings } from "@feed/domain/scenario";
import type { ScenarioSettings as WrittenSettings } from "./openapi.generated.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Settings as the admin API takes them, completed by the service's defaults. They have passed their
 * schema.
 */
export function settingsFrom(written: WrittenSettings): ScenarioSettings {
  const given = renamed(written, camelCase);
  const defaults: Members = { ...DEFAULT_SCENARIO_SETTINGS };
  const complete = Object.entries(defaults).map(([name, value]) => {
    const own = given[name];
    if (own === undefined) return [name, value];
    return [name, isSection(value) && isSection(own) ? { ...value, ...own } : own];
  });
  return Object.fromEntries(complete) as ScenarioSettings;
}

export function presentSettings(settings: ScenarioSettings): WrittenSettings {
  return renamed({ ...settings }, snakeCase);
}

/** Members of an object and of those within it, in the API's way of writing. */
export function snakeCased(members: object): Members {
  return renamed(members, snakeCase);
}

function renamed(members: object, rename: (name: string) => string): Members {
  const entries = Object.entries(members).map(([name, value]: readonly [string, unknown]) => [
    rename(name),
    isSection(value) ? renamed(value, rename) : value,
  ]);
  return Object.fromEntries(entries) as Members;
}

function isSection(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
