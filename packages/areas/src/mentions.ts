import type { Area, AreaLevel } from "@feed/domain/area";
import type { AreaId } from "@feed/domain/ids";
import { containingAreas } from "./gazetteer.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { mentionIndex } from "./mention-index.ts";
import type { MentionForm } from "./mention-index.ts";
import { scanForms } from "./mention-scan.ts";
import type { FormOccurrences } from "./mention-scan.ts";
import { PREFECTURE_ONLY_STEMS } from "./mention-words.ts";

/** One area a text speaks of. */
export interface AreaMention {
  readonly areaId: AreaId;
  /** 0 to 1: how surely this place is meant. At least 0.25. */
  readonly confidence: number;
  /** Occurrences of all its forms. */
  readonly count: number;
}

/** A mention less sure than this is left out. */
const CONFIDENCE_MIN = 0.25;

const CONFIDENCE_OF_FORM = { official: 0.9, plain: 0.7, weak: 0.4 } as const;
/** Each further occurrence adds this share of what is missing to 1. */
const REPEAT_GAIN = 0.1;
/** A text that names none of these places more closely says nothing about a name shared by more. */
const NAMESAKES_MAX = 3;
/** Without suffix, the wider place is meant rather than the narrower of the same name: 大阪府, then 大阪市. */
const NARROWER_SHARE = 0.75;

type Found = readonly [MentionForm, FormOccurrences];

/**
 * Finds the areas a text names, surest first. Pure; about 0.4 ms for 5 kB.
 *
 * Japanese: forms with their suffix are trusted; without it, well-known names alone, others only when the
 * text names another place of their prefecture, or place words follow (佐賀出身). Names that are common
 * words (日光, 大和, 光) need their suffix. English: capitalised whole words, likewise. The longest form
 * wins at each place. A name shared by several prefectures or cities is settled by the other places the text
 * names; unsettled, its confidence is divided among them, and with more than three it is dropped.
 *
 * Containing areas are not added: see `containingAreas`.
 */
export function findAreaMentions(text: string, gazetteer: Gazetteer): readonly AreaMention[] {
  const found = [...scanForms(text, mentionIndex(gazetteer))];
  const evidence = evidenceOf(found, gazetteer);
  const mentions = new Map<AreaId, AreaMention>();
  for (const [form, occurrences] of found) {
    const areas = settle(form, occurrences, evidence, gazetteer);
    const places = countPlaces(areas);
    if (places === 0 || places > NAMESAKES_MAX) continue;
    const base = CONFIDENCE_OF_FORM[form.strength] / places;
    const sure = 1 - (1 - base) * (1 - REPEAT_GAIN) ** Math.min(occurrences.count - 1, 10);
    for (const [area, share] of shares(form, areas)) {
      addMention(mentions, area.id, sure * share, occurrences.count);
    }
  }
  return [...mentions.values()]
    .filter((mention) => mention.confidence >= CONFIDENCE_MIN)
    .sort((a, b) => b.confidence - a.confidence || b.count - a.count);
}

function addMention(
  mentions: Map<AreaId, AreaMention>,
  areaId: AreaId,
  confidence: number,
  count: number,
): void {
  const before = mentions.get(areaId);
  mentions.set(areaId, {
    areaId,
    confidence: Math.max(before?.confidence ?? 0, confidence),
    count: (before?.count ?? 0) + count,
  });
}

/** Areas, and those containing them, that a form of the text names beyond doubt. */
function evidenceOf(found: readonly Found[], gazetteer: Gazetteer): ReadonlySet<AreaId> {
  const evidence = new Set<AreaId>();
  for (const [form] of found) {
    if (form.strength === "weak") continue;
    const areas = preferWider(form);
    if (countPlaces(areas) !== 1) continue;
    for (const area of areas) {
      evidence.add(area.id);
      for (const id of containingAreas(area, gazetteer)) evidence.add(id);
    }
  }
  return evidence;
}

/** The areas a form means in this text; empty when a weak form has no support. */
function settle(
  form: MentionForm,
  occurrences: FormOccurrences,
  evidence: ReadonlySet<AreaId>,
  gazetteer: Gazetteer,
): readonly Area[] {
  const areas = preferWider(form);
  const supportedBy = (area: Area, level: AreaLevel) =>
    containingAreas(area, gazetteer).some(
      (id) => evidence.has(id) && gazetteer.byId(id)?.level === level,
    ) ||
    (area.level === level && evidence.has(area.id));
  const inPrefecture = areas.filter((area) => supportedBy(area, "prefecture"));
  if (form.strength === "weak") {
    const supported = form.familyName
      ? occurrences.asPlace
      : inPrefecture.length > 0 || occurrences.asPlace;
    if (!supported) return [];
    return inPrefecture.length > 0 ? inPrefecture : areas;
  }
  if (countPlaces(areas) === 1) return areas;
  const inCity = inPrefecture.filter((area) => supportedBy(area, "city"));
  if (inCity.length > 0) return inCity;
  return inPrefecture.length > 0 ? inPrefecture : areas;
}

/**
 * What a name means first of all: 福島 the prefecture and its seat, not the ward and station in Osaka; 沖縄 the
 * prefecture, not 沖縄市; 川崎 and 横浜 the city, not its ward or station. But 渋谷 is as much the station's
 * surroundings as the ward.
 */
function preferWider({ areas, strength }: MentionForm): readonly Area[] {
  if (strength === "official") return areas;
  const prefecture = areas.find((area) => area.level === "prefecture");
  if (prefecture !== undefined) {
    if (PREFECTURE_ONLY_STEMS.has(prefecture.stem)) return [prefecture];
    return areas.filter(
      (area) => area === prefecture || (isWholeCity(area) && area.prefectureId === prefecture.id),
    );
  }
  const withCity = new Set(areas.filter(isWholeCity).map((area) => area.prefectureId));
  return areas.filter((area) => isWholeCity(area) || !withCity.has(area.prefectureId));
}

/** A city rather than a ward of one. */
function isWholeCity(area: Area): boolean {
  return area.level === "city" && !area.name.endsWith("区");
}

/** Places that aren't the same spot at another level: 渋谷区 and 渋谷駅 are one, 府中市 twice are two. */
function countPlaces(areas: readonly Area[]): number {
  const ofLevel = (level: AreaLevel) => areas.filter((area) => area.level === level).length;
  const prefectures = new Set(areas.map((area) => area.prefectureId)).size;
  return Math.max(prefectures, ofLevel("city"), ofLevel("station"));
}

/** The share of the confidence each area gets: a name with suffix has one level, a bare one may have more. */
function shares(form: MentionForm, areas: readonly Area[]): readonly (readonly [Area, number])[] {
  const widest = (["prefecture", "city", "station"] as const).find((level) =>
    areas.some((area) => area.level === level),
  );
  return areas.map((area) => [
    area,
    form.strength === "official" || area.level === widest ? 1 : NARROWER_SHARE,
  ]);
}
