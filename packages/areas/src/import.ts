import { AREA_LEVELS } from "@feed/domain/area";
import type { Area, AreaLevel } from "@feed/domain/area";
import { asId } from "@feed/domain/ids";
import type { AreaId } from "@feed/domain/ids";
import { parseCsv } from "./csv.ts";
import type { CsvProblem, CsvRecord } from "./csv.ts";

/** The columns of an area file, in this order. `romanised` holds several names separated by `|`. */
export const AREA_COLUMNS = [
  "id",
  "level",
  "name",
  "reading",
  "romanised",
  "city_id",
  "prefecture_id",
] as const;

/** What an area file says: the areas of its sound rows, and what is wrong with the others. */
export interface AreaImport {
  readonly areas: readonly Area[];
  readonly problems: readonly CsvProblem[];
}

interface Row extends Readonly<Record<(typeof AREA_COLUMNS)[number], string>> {
  readonly line: number;
}

/** The part of an area that other rows refer to. */
interface Place {
  readonly level: string;
  readonly name: string;
  readonly prefectureId: string;
}

const NAME_SUFFIX: Readonly<Record<AreaLevel, RegExp>> = {
  station: /.駅$/u,
  city: /.[市区町村]$/u,
  prefecture: /.[都道府県]$/u,
};

/** A name that contains its suffix: nobody says 北海 for 北海道. */
const NAME_IS_STEM = new Set(["北海道"]);

/**
 * Reads areas from CSV with the header of `AREA_COLUMNS`.
 *
 * Rows may stand in any order and may refer to rows of the same text or to `known` areas, so that an
 * operator's file can add stations to bundled cities. Strict: a row with any problem is left out and each
 * problem names its line (from 1). Never throws.
 */
export function importAreasCsv(text: string, known: readonly Area[] = []): AreaImport {
  const csv = parseCsv(text);
  const problems: CsvProblem[] = [...csv.problems];
  const [header, ...records] = csv.records;
  if (header?.fields.join(",") !== AREA_COLUMNS.join(",")) {
    return {
      areas: [],
      problems: [{ line: 1, problem: `the header must be ${AREA_COLUMNS.join(",")}` }],
    };
  }
  const rows = records.flatMap((record) => readRow(record, problems));
  const places = new Map<string, Place>(known.map((area) => [area.id, area]));
  const ids = new Set<string>();
  for (const row of rows) places.set(row.id, { ...row, prefectureId: row.prefecture_id });
  const areas: Area[] = [];
  for (const row of rows) {
    const found = [
      ...(ids.has(row.id) ? [`id ${row.id} is used twice`] : []),
      ...rowProblems(row, places),
    ];
    ids.add(row.id);
    if (found.length === 0) areas.push(toArea(row, places));
    problems.push(...found.map((problem) => ({ line: row.line, problem })));
  }
  return { areas, problems: problems.toSorted((a, b) => a.line - b.line) };
}

function readRow({ line, fields }: CsvRecord, problems: CsvProblem[]): Row[] {
  if (fields.length !== AREA_COLUMNS.length) {
    problems.push({
      line,
      problem: `${fields.length} fields where ${AREA_COLUMNS.length} are needed`,
    });
    return [];
  }
  const [id = "", level = "", name = "", reading = "", romanised = "", city = "", prefecture = ""] =
    fields;
  return [{ line, id, level, name, reading, romanised, city_id: city, prefecture_id: prefecture }];
}

function rowProblems(row: Row, places: ReadonlyMap<string, Place>): string[] {
  const problems: string[] = [];
  if (!/^[a-z0-9][a-z0-9-]{0,79}$/u.test(row.id)) {
    problems.push(
      `id "${row.id}" must be 1 to 80 of a-z, 0-9 and -, and start with a letter or digit`,
    );
  }
  if (!isLevel(row.level)) {
    problems.push(`level "${row.level}" must be one of ${AREA_LEVELS.join(", ")}`);
  } else if (!NAME_SUFFIX[row.level].test(row.name)) {
    problems.push(`name "${row.name}" must be the full form of a ${row.level} with its suffix`);
  }
  if (!/^[ぁ-ゖー]*$/u.test(row.reading))
    problems.push(`reading "${row.reading}" must be in hiragana`);
  if (!/^(?:[a-z0-9][a-z0-9' -]*(?:\|(?!$))?)*$/u.test(row.romanised)) {
    problems.push(`romanised "${row.romanised}" must be lower-case names separated by |`);
  }
  return [...problems, ...prefectureProblems(row, places), ...cityProblems(row, places)];
}

function prefectureProblems(row: Row, places: ReadonlyMap<string, Place>): string[] {
  if (places.get(row.prefecture_id)?.level !== "prefecture") {
    return [`prefecture_id "${row.prefecture_id}" names no prefecture`];
  }
  if (row.level === "prefecture" && row.prefecture_id !== row.id) {
    return [`prefecture_id of a prefecture must be its own id`];
  }
  return [];
}

function cityProblems(row: Row, places: ReadonlyMap<string, Place>): string[] {
  if (row.city_id === "") return row.level === "station" ? ["a station needs a city_id"] : [];
  if (row.level === "prefecture") return ["a prefecture has no city_id"];
  const city = places.get(row.city_id);
  if (city?.level !== "city") return [`city_id "${row.city_id}" names no city`];
  if (city.prefectureId !== row.prefecture_id) {
    return [
      `city_id "${row.city_id}" lies in prefecture ${city.prefectureId}, not ${row.prefecture_id}`,
    ];
  }
  if (
    row.level === "city" &&
    !(row.name.startsWith(city.name) && row.name.length > city.name.length + 1)
  ) {
    return [`name "${row.name}" of a ward must start with the name of its city, ${city.name}`];
  }
  return [];
}

function toArea(row: Row, places: ReadonlyMap<string, Place>): Area {
  const parentName = row.level === "city" ? (places.get(row.city_id)?.name ?? "") : "";
  return {
    id: asId<AreaId>(row.id),
    level: row.level as AreaLevel,
    name: row.name,
    stem: NAME_IS_STEM.has(row.name) ? row.name : row.name.slice(parentName.length, -1),
    ...(row.reading === "" ? {} : { reading: row.reading }),
    ...(row.romanised === "" ? {} : { romanised: row.romanised.split("|") }),
    ...(row.city_id === "" ? {} : { cityId: asId<AreaId>(row.city_id) }),
    prefectureId: asId<AreaId>(row.prefecture_id),
    prefecture: places.get(row.prefecture_id)?.name ?? "",
  };
}

function isLevel(text: string): text is AreaLevel {
  return AREA_LEVELS.some((level) => level === text);
}
