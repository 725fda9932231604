import * as limits from "@feed/domain/limits";
import { PROBLEM_TYPES } from "@feed/http-api/problem-types";

const UNITS_MS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;
const UNITS_BYTES = [
  ["MiB", 1024 * 1024],
  ["KiB", 1024],
] as const;

/** What docs/limits.md has to say: the value of every limit, as its page writes it, by the name of the constant. */
export function limitRows(): ReadonlyMap<string, string> {
  return new Map(Object.entries(limits).map(([name, value]) => [name, valueText(name, value)]));
}

/** What docs/errors.md has to say of each type of problem, under a heading that is its anchor. */
export function problemSections(): readonly string[] {
  return Object.entries(PROBLEM_TYPES).map(
    ([slug, { title, status, meaning, remedy }]) =>
      `## ${slug}\n\n**${status} ${title}.** ${meaning}\n\n${remedy}\n`,
  );
}

function valueText(name: string, value: unknown): string {
  if (value instanceof RegExp) return `\`${value.source.replaceAll("|", "\\|")}\``;
  if (Array.isArray(value)) return value.map((each) => valueText(name, each)).join(", ");
  if (typeof value !== "number") throw new Error(`${name} is neither a number nor a pattern`);
  if (name === "OCCURRED_AT_MS_MIN") return new Date(value).toISOString();
  if (/_MS(_|$)/.test(name)) return inUnits(value, UNITS_MS);
  if (/_BYTES(_|$)/.test(name)) return inUnits(value, UNITS_BYTES);
  if (/_HOURS(_|$)/.test(name)) return `${value} hours`;
  if (/_DAYS(_|$)/.test(name)) return `${value.toLocaleString("en")} days`;
  if (/_PERCENT(_|$)/.test(name)) return `${value} %`;
  return value.toLocaleString("en");
}

/** In the greatest unit that it is a whole number of. */
function inUnits(value: number, units: readonly (readonly [name: string, size: number])[]): string {
  const [name, size] = units.find(([, each]) => value % each === 0) ?? ["", 1];
  const count = value / size;
  return `${count} ${name}${name.endsWith("B") || count === 1 ? "" : "s"}`;
}
