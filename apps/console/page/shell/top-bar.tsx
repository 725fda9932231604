import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useWords } from "../shared/language.ts";
import { THEMES, type Preferences, type Theme } from "./preferences.ts";
import { SHELL } from "./shell.words.ts";

/** The product's name, what the caller puts beside it, and how the console looks. */
export function TopBar(props: {
  readonly preferences: Preferences;
  readonly children?: ComponentChildren;
}) {
  const { preferences, children } = props;
  const { language, theme, setLanguage, setTheme } = preferences;
  const said = useWords(SHELL);
  const themeId = useId();
  const other = language === "ja" ? "en" : "ja";
  return (
    <header class="top">
      <a class="brand" href="#/">
        {said.product}
      </a>
      {children}
      <div class="preferences">
        <button type="button" class="quiet" lang={other} onClick={() => setLanguage(other)}>
          {said.language}
        </button>
        <label class="unseen" for={themeId}>
          {said.theme}
        </label>
        <select
          id={themeId}
          value={theme}
          onChange={(event) => setTheme(event.currentTarget.value as Theme)}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {said.themes[each]}
            </option>
          ))}
        </select>
      </div>
    </header>
  );
}
