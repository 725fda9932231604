import { createContext } from "preact";
import { useContext } from "preact/hooks";

export const LANGUAGES = ["ja", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

type Entry = string | ((...values: never[]) => string) | { readonly [name: string]: Entry };
type Widened<Text> = Text extends string
  ? string
  : Text extends (...values: never[]) => string
    ? Text
    : { readonly [Name in keyof Text]: Widened<Text[Name]> };

/** The same words in every language of the console. */
export type Words<Text> = Readonly<Record<Language, Text>>;

/** Words of a screen: the Japanese ones have the names of the English ones, no more and no less. */
export function words<Text extends Readonly<Record<string, Entry>>>(
  en: Text,
  ja: Widened<Text>,
): Words<Widened<Text>> {
  return { en: en as Widened<Text>, ja };
}

export const LanguageContext = createContext<Language>("en");

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

/** The words in the language the console is read in. */
export function useWords<Text>(all: Words<Text>): Text {
  return all[useLanguage()];
}
