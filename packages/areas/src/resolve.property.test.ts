import type { Area, ResolvedAreas } from "@feed/domain/area";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadGazetteer } from "./load.ts";
import { findAreaMentions } from "./mentions.ts";
import { resolveAreas } from "./resolve.ts";
import type { AreaNames } from "./resolve.ts";

const gazetteer = await loadGazetteer();
const RUNS = { numRuns: 500 };
const anyArea = fc.constantFrom(...gazetteer.areas);

const toHalfWidth: Readonly<Record<string, string>> = { ガ: "ｶﾞ", シ: "ｼ", ブ: "ﾌﾞ", ヤ: "ﾔ" };
/** Ways in which people type the same name. */
const RENDERINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => ` ${name}　`,
  (name) => name.normalize("NFD"),
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/[ぁ-ゖ]/g, (kana) => String.fromCodePoint(kana.charCodeAt(0) + 0x60)),
  (name) => name.replaceAll(/[ァ-ヶ]/g, (kana) => toHalfWidth[kana] ?? kana),
  (name) =>
    name.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  (name) => name.replaceAll("ヶ", "ケ"),
  (name) => name.replaceAll("ヶ", "が"),
];

/** Names of the area, with its suffix and without: as written, read and romanised. */
function namesOf(area: Area): readonly string[] {
  const reading = area.reading === undefined ? [] : [area.reading];
  const isWithin = area.level !== "prefecture";
  const qualified = isWithin ? [area.prefecture + area.name, area.prefecture + area.stem] : [];
  // 和歌山市 is the city, whatever the station 和歌山市駅 is called without its suffix.
  if (fullNames.has(area.stem)) return [area.name];
  return [area.name, area.stem, ...qualified, ...reading, ...(area.romanised ?? [])];
}
const fullNames = new Set(
  gazetteer.areas.filter(({ name, stem }) => name !== stem).map(({ name }) => name),
);

const rendered = anyArea.chain((area) =>
  fc
    .tuple(fc.constantFrom(...namesOf(area)), fc.constantFrom(...RENDERINGS))
    .map(([name, render]) => ({ area, name: render(name) })),
);

/** Ids of the areas a request means, those of an ambiguous answer included. */
function meant(request: AreaNames): readonly string[] {
  const resolution = resolveAreas(request, gazetteer);
  return resolution.kind === "ambiguous"
    ? resolution.names.flatMap(({ candidates }) => candidates.map(({ id }) => id))
    : resolution.areas.matched.map(({ area }) => area.id);
}

/** The names an answer says something about. */
function inputsOf({ matched, skipped }: ResolvedAreas): readonly string[] {
  return [...matched, ...skipped].map(({ input }) => input);
}

describe("area names, whatever the spelling", () => {
  it("find the area they are a rendering of", () => {
    fc.assert(
      fc.property(rendered, ({ area, name }) => {
        const { level } = area;
        expect(meant({ from: "query", names: [name], level })).toContain(area.id);
      }),
      RUNS,
    );
  });

  it("are each answered, or asked back with candidates of several levels", () => {
    const names = fc.array(
      fc.oneof(
        rendered.map(({ name }) => name),
        fc.string({ unit: "grapheme", maxLength: 8 }),
      ),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(names, (given) => {
        const resolution = resolveAreas({ from: "query", names: given }, gazetteer);
        const asked = resolution.kind === "ambiguous" ? resolution.names : [];
        for (const { candidates } of asked)
          expect(new Set(candidates.map(({ level }) => level)).size).toBeGreaterThan(1);
        const kept = given.map((name) => name.trim()).filter((name) => name !== "");
        const answered = resolution.kind === "resolved" ? inputsOf(resolution.areas) : kept;
        expect(new Set(answered)).toEqual(new Set(kept));
      }),
      RUNS,
    );
  });

  it("are never ambiguous in a profile", () => {
    fc.assert(
      fc.property(fc.array(rendered, { maxLength: 5 }), (given) => {
        const names = given.map(({ name }) => name);
        expect(resolveAreas({ from: "profile", names }, gazetteer).kind).toBe("resolved");
      }),
      RUNS,
    );
  });

  it("are answered, and texts are searched, for any string there is", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc
        .array(
          fc.oneof(
            rendered.map(({ name }) => name),
            fc.string(),
          ),
          { maxLength: 6 },
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(anyText, fc.constantFrom("query", "profile"), (text, from) => {
        expect(resolveAreas({ from, names: [text] }, gazetteer).kind).toBeDefined();
        expect(gazetteer.search(text, 10).length).toBeLessThanOrEqual(10);
        for (const { confidence, areaId } of findAreaMentions(text, gazetteer)) {
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(gazetteer.byId(areaId)).toBeDefined();
        }
      }),
      RUNS,
    );
  });
});
