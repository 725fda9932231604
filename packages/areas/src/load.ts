import { readFile } from "node:fs/promises";
import { createGazetteer } from "./gazetteer.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { importAreasCsv } from "./import.ts";
import type { Area } from "@feed/domain/area";

const DATA_FILES = ["prefectures.csv", "cities.csv", "wards.csv", "stations.csv"] as const;

/**
 * The bundled gazetteer: Japan's prefectures, cities, wards and stations. Reads about 150 kB once; keep it.
 * Rejects when a bundled file is missing or unsound, naming file and line.
 */
export async function loadGazetteer(): Promise<Gazetteer> {
  const areas: Area[] = [];
  for (const file of DATA_FILES) {
    const text = await readFile(new URL(`../data/${file}`, import.meta.url), "utf8");
    const imported = importAreasCsv(text, areas);
    const [problem] = imported.problems;
    if (problem !== undefined) throw new Error(`${file}, line ${problem.line}: ${problem.problem}`);
    areas.push(...imported.areas);
  }
  return createGazetteer(areas);
}
