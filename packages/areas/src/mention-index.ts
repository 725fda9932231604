import type { Area } from "@feed/domain/area";
import { foldPlaceSpelling, foldRomanised } from "./fold.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { nameForms, writtenForms } from "./name-forms.ts";
import * as wordLists from "./mention-words.ts";

/**
 * How surely a form is meant as a place: `official` has its suffix, `plain` is unmistakable without,
 * `weak` needs support from the rest of the text.
 */
export type FormStrength = "official" | "plain" | "weak";

/** One written form and the areas it can mean. */
export interface MentionForm {
  readonly text: string;
  readonly strength: FormStrength;
  readonly areas: readonly Area[];
  /** Weak and also a family name: taken only with a sign of place right behind it. */
  readonly familyName: boolean;
}

/** A trie over UTF-16 units: the longest form at a position is found in one walk. */
export interface FormNode {
  readonly next: Map<number, FormNode>;
  form?: MentionForm;
}

export interface MentionIndex {
  readonly japanese: FormNode;
  /** Keys folded by `foldRomanised`. */
  readonly romanised: ReadonlyMap<string, MentionForm>;
}

const indexes = new WeakMap<Gazetteer, MentionIndex>();

/** The index of a gazetteer, built at its first use (about 30 ms) and kept as long as the gazetteer. */
export function mentionIndex(gazetteer: Gazetteer): MentionIndex {
  const existing = indexes.get(gazetteer);
  if (existing !== undefined) return existing;
  const index = { japanese: japaneseForms(gazetteer), romanised: romanisedForms(gazetteer) };
  indexes.set(gazetteer, index);
  return index;
}

class FormCollector {
  readonly #byText = new Map<
    string,
    { strength: FormStrength; areas: Set<Area>; familyName: boolean }
  >();

  /** A stronger form displaces weaker ones of the same text: 伊勢市 is the city, not the stem of 伊勢市駅. */
  add(text: string, area: Area, strength: FormStrength, familyName = false): void {
    const existing = this.#byText.get(text);
    if (existing === undefined || (existing.strength !== "official" && strength === "official")) {
      this.#byText.set(text, { strength, areas: new Set([area]), familyName });
    } else if (existing.strength === "official" ? strength === "official" : true) {
      existing.areas.add(area);
    }
  }

  forms(): MentionForm[] {
    return [...this.#byText].map(([text, form]) => ({ text, ...form, areas: [...form.areas] }));
  }
}

function japaneseForms(gazetteer: Gazetteer): FormNode {
  const forms = new FormCollector();
  for (const area of gazetteer.areas) {
    const { official, qualified, bare } = writtenForms(area);
    for (const text of [...official, ...qualified])
      forms.add(foldPlaceSpelling(text), area, "official");
    for (const text of bare) {
      const strength = bareStrength(text);
      if (strength !== null) forms.add(foldPlaceSpelling(text), area, strength, isFamilyName(text));
    }
  }
  const root: FormNode = { next: new Map() };
  for (const form of forms.forms()) insert(root, form);
  return root;
}

function bareStrength(stem: string): FormStrength | null {
  if (wordLists.PLAIN_STEMS.has(stem)) return "plain";
  if (wordLists.FAMILY_NAME_STEMS.has(stem)) return "weak";
  if (stem.length < 2 || wordLists.SUFFIX_NEEDED_STEMS.has(stem)) return null;
  // Short kana stems are particles and inflections more often than places.
  return /^[ぁ-ゖァ-ヺー]{1,3}$/u.test(stem) ? null : "weak";
}

function isFamilyName(stem: string): boolean {
  return wordLists.FAMILY_NAME_STEMS.has(stem) && !wordLists.PLAIN_STEMS.has(stem);
}

function insert(root: FormNode, form: MentionForm): void {
  let node = root;
  for (let index = 0; index < form.text.length; index += 1) {
    const unit = form.text.charCodeAt(index);
    let next = node.next.get(unit);
    if (next === undefined) {
      next = { next: new Map() };
      node.next.set(unit, next);
    }
    node = next;
  }
  node.form = form;
}

/** Shortest romanised stem that may stand without suffix: below are too many words of other languages. */
const ROMANISED_STEM_LENGTH_MIN = 5;

function romanisedForms(gazetteer: Gazetteer): ReadonlyMap<string, MentionForm> {
  const forms = new FormCollector();
  for (const area of gazetteer.areas) {
    for (const text of nameForms(area).official) {
      if (/^[a-z].*[ -][a-z]+$/u.test(text)) forms.add(foldRomanised(text), area, "official");
    }
    // Without "Station", a romanised name means the town: stations are never meant bare in English news.
    if (area.level === "station" && !wordLists.PLAIN_ROMANISED.has(area.romanised?.[0] ?? ""))
      continue;
    for (const name of area.romanised ?? []) {
      if (wordLists.PLAIN_ROMANISED.has(name)) forms.add(foldRomanised(name), area, "plain");
      else if (
        name.length >= ROMANISED_STEM_LENGTH_MIN &&
        !wordLists.SUFFIX_NEEDED_ROMANISED.has(name)
      ) {
        forms.add(foldRomanised(name), area, "weak");
      }
    }
  }
  return new Map(forms.forms().map((form) => [form.text, form]));
}
