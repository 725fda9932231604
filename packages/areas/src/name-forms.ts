import type { Area } from "@feed/domain/area";

/** The ways in which one area is written, unfolded. */
export interface NameForms {
  /** With the suffix, so that the level is settled: 渋谷区, 中区, しぶやく, shibuya-ku. */
  readonly official: readonly string[];
  /** With the prefecture in front: 東京都渋谷区. Settles the place among its namesakes too. */
  readonly qualified: readonly string[];
  /** Without the suffix: 渋谷, しぶや, shibuya. Other levels may be meant. */
  readonly bare: readonly string[];
  /** With the prefecture in front and without the suffix: 東京都渋谷. Settles the place, not the level. */
  readonly qualifiedBare: readonly string[];
}

interface Suffix {
  readonly readings: readonly string[];
  readonly romanised: readonly string[];
}

const SUFFIXES: Readonly<Record<string, Suffix>> = {
  駅: { readings: ["えき"], romanised: [" station", "-eki"] },
  市: { readings: ["し"], romanised: [" city", "-shi"] },
  区: { readings: ["く"], romanised: [" ward", " city", "-ku"] },
  町: { readings: ["まち", "ちょう"], romanised: [" town", "-machi", "-cho"] },
  村: { readings: ["むら", "そん"], romanised: [" village", "-mura", "-son"] },
  都: { readings: ["と"], romanised: [" prefecture", " metropolis", "-to"] },
  道: { readings: [""], romanised: [" prefecture"] },
  府: { readings: ["ふ"], romanised: [" prefecture", "-fu"] },
  県: { readings: ["けん"], romanised: [" prefecture", "-ken"] },
};

/** The name without the designated city in front: 中区 of 横浜市中区. Other areas: the name. */
function shortName(area: Area): string {
  return area.level === "city" ? area.name.slice(area.name.lastIndexOf(area.stem)) : area.name;
}

/**
 * The forms by which `area` is found (spec 4.1: "the trailing suffix of a station, city or prefecture
 * name may be omitted").
 *
 * Forms are made from the data, and no suffix is ever cut from what a caller writes: 京都, 四日市, 都城 and
 * 別府 contain suffix characters that belong to the name.
 */
export function nameForms(area: Area): NameForms {
  const character = area.name.slice(-1);
  const suffix = SUFFIXES[character];
  const romanised = area.romanised ?? [];
  const readings = area.reading === undefined ? [] : [area.reading];
  // Suffixes are also written in kanji behind kana or letters: しぶや区, Shibuya駅.
  const inKanji = area.stem === area.name ? "" : character;
  const withEach = (names: readonly string[], endings: readonly string[] = []) =>
    names.flatMap((name) => [...endings, inKanji].map((ending) => name + ending));
  const official = [
    area.name,
    shortName(area),
    ...withEach(readings, suffix?.readings),
    ...withEach(romanised, suffix?.romanised),
  ];
  return {
    official,
    ...qualifiedForms(area),
    bare: [area.stem, ...readings, ...romanised],
  };
}

/** The forms of Japanese running text: no readings, no romanised names. */
export function writtenForms(area: Area): NameForms {
  return { official: [area.name, shortName(area)], ...qualifiedForms(area), bare: [area.stem] };
}

function qualifiedForms(area: Area): Pick<NameForms, "qualified" | "qualifiedBare"> {
  if (area.level === "prefecture") return { qualified: [], qualifiedBare: [] };
  return {
    qualified: [area.prefecture + area.name],
    qualifiedBare: [area.prefecture + area.stem],
  };
}
