import { useContext, useRef, useState } from "preact/hooks";
import { ChoiceField, TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useLanguage, useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Loaded } from "../../shared/page.tsx";
import { useSession, useTenantId } from "../../shared/session.ts";
import { useSettled } from "../../shared/settled.ts";
import { named, type Entry } from "./entries.ts";
import { RULES } from "./rules.words.ts";
import { SourceNames, useSettingNames } from "./setting-name.ts";
import { SETTING_NAMES } from "./setting-names.words.ts";

const SHOWN_MAX = 8;
const TYPING_MS = 300;
const CATEGORY_NAME = /^=/;

export type AddVerb = "lift" | "bury" | "cap";
type Thing = readonly [id: string, name: string];

interface FinderProps {
  readonly kinds: readonly string[];
  /** The number each button writes. */
  readonly verbs: Partial<Record<AddVerb, number>>;
  readonly isThere: (match: string, id: string) => boolean;
  readonly onAdd: (entry: Entry, name: string) => void;
}

/** Sources and categories by a part of their names, articles by words; beside each what can be done with it. */
export function TargetFinder({ kinds, verbs, isThere, onAdd }: FinderProps) {
  const said = useWords(RULES);
  const { optionOf } = useSettingNames();
  const [kind, setKind] = useState(kinds[0] ?? "");
  const [text, setText] = useState("");
  const hints: Partial<Record<string, string>> = said.findHint;
  const results = { text, isThere: (id: string) => isThere(kind, id), verbs };
  const { announce } = useSession();
  const container = useRef<HTMLDivElement>(null);
  const add = (id: string, name: string, number: number) => {
    onAdd({ match: kind, id, number }, name);
    setText("");
    announce(said.added(name));
    // The button that had the focus goes.
    container.current?.querySelector("input")?.focus();
  };
  // Enter in the search would save the form it lies in.
  const stay = (event: KeyboardEvent) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
  };
  return (
    <div class="finder" ref={container} onKeyDown={stay}>
      {kinds.length > 1 && (
        <ChoiceField
          label={said.kind}
          value={kind}
          options={kinds.map((one) => [one, optionOf(["ranking_rules", "match"], one)])}
          onValue={setKind}
        />
      )}
      <TextField label={said.find} hint={hints[kind]} value={text} onValue={setText} />
      {kind === "article" ? (
        <FoundArticles {...results} onAdd={add} />
      ) : (
        <FoundNames {...results} kind={kind} onAdd={add} />
      )}
    </div>
  );
}

interface ResultProps {
  readonly text: string;
  readonly verbs: FinderProps["verbs"];
  readonly isThere: (id: string) => boolean;
  readonly onAdd: (id: string, name: string, number: number) => void;
}

function FoundNames({ kind, text, ...results }: ResultProps & { readonly kind: string }) {
  const sources = useContext(SourceNames);
  const names = SETTING_NAMES[useLanguage()];
  if (text.trim() === "" && kind !== "category") return null;
  const categories = Object.entries(names).flatMap(([id, name]): readonly Thing[] =>
    CATEGORY_NAME.test(id) ? [[id.slice(1), name]] : [],
  );
  return (
    <Results things={named(kind === "source" ? [...sources] : categories, text)} {...results} />
  );
}

function FoundArticles({ text, ...results }: ResultProps) {
  const { api } = useSession();
  const tenant_id = useTenantId();
  const q = useSettled(text.trim(), TYPING_MS);
  const load = useLoad(
    async () =>
      q === "" ? undefined : api.call("adminSearchContents", { tenant_id, q, limit: SHOWN_MAX }),
    [tenant_id, q],
  );
  if (q === "") return null;
  return (
    <Loaded load={load}>
      {(answer) => {
        const things = (answer?.data ?? []).map(({ content }): Thing => [
          content.id,
          content.title,
        ]);
        return <Results things={things} {...results} />;
      }}
    </Loaded>
  );
}

interface ThingsProps extends Omit<ResultProps, "text"> {
  readonly things: readonly Thing[];
}

function Results({ things, verbs, isThere, onAdd }: ThingsProps) {
  const said = useWords(RULES);
  const format = useFormat();
  const left = things.filter(([id]) => !isThere(id));
  const shown = left.slice(0, SHOWN_MAX);
  const count = format.number(left.length);
  const isCut = shown.length < left.length;
  return (
    <>
      <p class="small" role="status">
        {isCut ? said.foundMore(format.number(shown.length), count) : said.found(count)}
      </p>
      <ul class="entries">
        {shown.map(([id, name]) => (
          <li key={id}>
            <span>{name}</span>
            <div class="actions">
              {(Object.entries(verbs) as [AddVerb, number][]).map(([verb, number]) => (
                <button
                  key={verb}
                  type="button"
                  aria-label={said.addOf(said.add[verb], name)}
                  onClick={() => onAdd(id, name, number)}
                >
                  {said.add[verb]}
                </button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
