import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useLanguage } from "../../shared/language.ts";
import type { Path } from "./setting-fields.ts";
import { SETTING_NAMES } from "./setting-names.words.ts";

/** What sources are called, by their ids. */
export const SourceNames = createContext<ReadonlyMap<string, string>>(new Map());

export interface SettingNames {
  readonly nameOf: (path: Path) => string;
  readonly fullNameOf: (path: Path) => string;
  readonly optionOf: (path: Path, option: string) => string;
  /** What a rule or cap is about: a kind and a name. */
  readonly targetOf: (match: string, id: string) => string;
}

/** What settings are called, alone or with the groups they lie in. */
export function useSettingNames(): SettingNames {
  const names = SETTING_NAMES[useLanguage()];
  const sources = useContext(SourceNames);
  const nameOf = (path: Path) => names[path.join(".")] ?? (path.at(-1) ?? "").replaceAll("_", " ");
  return {
    nameOf,
    fullNameOf: (path: Path) =>
      path.map((_, index) => nameOf(path.slice(0, index + 1))).join(" › "),
    optionOf: (path: Path, option: string) =>
      (path[0] === "sources" ? sources.get(option) : undefined) ??
      names[`${path.join(".")}=${option}`] ??
      names[`=${option}`] ??
      option,
    targetOf: (match: string, id: string) => {
      const known = match === "source" ? sources.get(id) : undefined;
      const name = match === "category" ? names[`=${id}`] : known;
      return `${names[`ranking_rules.match=${match}`] ?? match}: ${name ?? id}`;
    },
  };
}
