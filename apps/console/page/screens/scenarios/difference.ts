import type { Path, Values } from "./setting-fields.ts";

/** One setting that two versions have otherwise. */
export interface Change {
  readonly path: Path;
  /** Undefined where it was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What differs between two versions of settings, place by place; lists are compared as wholes. */
export function differenceOf(before: Values, after: Values, path: Path = []): readonly Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): readonly Change[] => {
    const [one, other] = [before[name], after[name]];
    const place = [...path, name];
    if (isSection(one) && isSection(other)) return differenceOf(one, other, place);
    if (JSON.stringify(one) === JSON.stringify(other)) return [];
    return [{ path: place, before: one, after: other }];
  });
}

function isSection(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
