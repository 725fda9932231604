import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";

/** One figure beside its target. Without a goal it is stated for information. */
export interface Result {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, in the same unit; null where the goal is absolute. */
  readonly reference: number | null;
  /** Value by reference. */
  readonly ratio: number | null;
  readonly goal: string;
  readonly ok: boolean;
}

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const PRECISION = 4;

export function atLeast(figure: Figure, least: number): Result {
  const goal = `at least ${format(least)} ${figure.unit}`;
  return { ...rounded(figure), reference: null, ratio: null, goal, ok: figure.value >= least };
}

export function atMost(figure: Figure, most: number): Result {
  const goal = `at most ${format(most)} ${figure.unit}`;
  return { ...rounded(figure), reference: null, ratio: null, goal, ok: figure.value <= most };
}

/** A figure that no target is set for. */
export function stated(figure: Figure): Result {
  return { ...rounded(figure), reference: null, ratio: null, goal: "for information", ok: true };
}

export function atLeastShareOf(figure: Figure, reference: number, share: number): Result {
  const ratio = figure.value / reference;
  return {
    ...rounded(figure),
    reference: round(reference),
    ratio: round(ratio),
    goal: `at least ${format(share * 100)} % of the reference`,
    ok: ratio >= share,
  };
}

export function atMostTimes(figure: Figure, reference: number, times: number): Result {
  const ratio = figure.value / reference;
  return {
    ...rounded(figure),
    reference: round(reference),
    ratio: round(ratio),
    goal: `at most ${format(times)} times the reference`,
    ok: ratio <= times,
  };
}

export function format(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : String(round(value));
}

/** A table for people. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ name, value, unit, ratio, goal, ok }) => [
    ok ? "ok" : "MISSED",
    name,
    `${format(value)} ${unit}`,
    ratio === null ? "" : `${(ratio * 100).toFixed(1)} %`,
    goal,
  ]);
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .join("\n");
}

/** Rows of parts that were not measured now stay as they were. */
export async function writeResults(path: string, results: readonly Result[]): Promise<void> {
  const rows = new Map((await readResults(path)).map((row) => [row.name, row]));
  for (const row of results) rows.set(row.name, row);
  await writeFile(path, `${JSON.stringify([...rows.values()], null, 2)}\n`);
}

async function readResults(path: string): Promise<readonly Result[]> {
  return existsSync(path) ? (JSON.parse(await readFile(path, "utf8")) as Result[]) : [];
}

function rounded(figure: Figure): Figure {
  return { ...figure, value: round(figure.value) };
}

function round(value: number): number {
  return Number(value.toPrecision(PRECISION));
}
