import { useEffect, useState } from "preact/hooks";
import { LANGUAGES, type Language } from "../shared/language.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  readonly setLanguage: (language: Language) => void;
  readonly setTheme: (theme: Theme) => void;
}

/** How this browser's reader likes the console; kept in the browser. */
export function usePreferences(): Preferences {
  const [language, setLanguage] = useState(() => kept("language", LANGUAGES) ?? preferred());
  const [theme, setTheme] = useState(() => kept("theme", THEMES) ?? "system");
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return {
    language,
    theme,
    setLanguage: (next) => {
      keep("language", next);
      setLanguage(next);
    },
    setTheme: (next) => {
      keep("theme", next);
      setTheme(next);
    },
  };
}

/** Japanese where the browser prefers it to English. */
function preferred(): Language {
  const first = navigator.languages.find((tag) => /^(ja|en)\b/.test(tag));
  return first?.startsWith("ja") === true ? "ja" : "en";
}

function kept<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
  try {
    const text = localStorage.getItem(`console.${name}`);
    return values.find((value) => value === text);
  } catch {
    // A browser that keeps nothing still shows the console.
    return undefined;
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`console.${name}`, value);
  } catch {
    // The choice holds until the page is closed.
  }
}
