import { useRef, useState } from "preact/hooks";
import type { Refused } from "../../shared/api.ts";
import { FieldGroup, TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { useSession } from "../../shared/session.ts";
import { entriesOf, kindsOf, valueOfEntry, type Entry } from "./entries.ts";
import { RULES } from "./rules.words.ts";
import type { EntriesField } from "./setting-fields.ts";
import { useSettingNames } from "./setting-name.ts";
import { TargetFinder, type AddVerb } from "./target-finder.tsx";
import { useTitles } from "./titles.ts";

/** What the buttons beside something found write as its number. */
const ADDED: Readonly<Record<string, Partial<Record<AddVerb, number>>>> = {
  factor: { lift: 2, bury: 0.5 },
  share: { cap: 0.1 },
};

interface EntriesProps {
  readonly field: EntriesField;
  readonly value: unknown;
  readonly refused: Refused | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: unknown) => void;
}

/** Things with a number each: those there are, and a way to find more. */
export function EntriesInput({ field, value, refused, disabled, onChange }: EntriesProps) {
  const said = useWords(RULES);
  const { nameOf, targetOf } = useSettingNames();
  const entries = entriesOf(value);
  const titles = useTitles(entries.flatMap(({ match, id }) => (match === "article" ? id : [])));
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  const name = field.path.join(".");
  const notes: Partial<Record<string, string>> = said.notes;
  const change = (next: readonly Entry[]) => {
    onChange(next.map((entry) => valueOfEntry(field, entry)));
  };
  const nameOfTarget = ({ match, id }: Entry) =>
    targetOf(match, match === "article" ? (found.get(id) ?? titles.get(id) ?? id) : id);
  const { announce } = useSession();
  const list = useRef<HTMLUListElement>(null);
  const remove = (at: number, target: string) => {
    change(entries.toSpliced(at, 1));
    announce(said.removed(target));
    // The button that had the focus goes.
    const fields = list.current?.closest("fieldset");
    fields?.querySelector<HTMLElement>(".finder select, .finder input")?.focus();
  };
  const isFull = field.itemsMax !== undefined && entries.length >= field.itemsMax;
  return (
    <FieldGroup legend={nameOf(field.path)} fault={refused?.faultAt(`/settings/${name}`)}>
      <p class="hint">{notes[name]}</p>
      {entries.length === 0 && <p class="empty">{said.none}</p>}
      <ul class="entries" ref={list}>
        {entries.map((entry, at) => (
          <EntryRow
            key={`${entry.match} ${entry.id}`}
            {...{ entry, field, disabled }}
            target={nameOfTarget(entry)}
            fault={faultOf(refused, `/settings/${name}/${at}`, field.number.name)}
            onNumber={(number) => change(entries.with(at, { ...entry, number }))}
            onRemove={() => remove(at, nameOfTarget(entry))}
          />
        ))}
      </ul>
      {isFull && <p class="hint">{said.full}</p>}
      {!disabled && !isFull && (
        <TargetFinder
          kinds={kindsOf(field)}
          verbs={ADDED[field.number.name] ?? {}}
          isThere={(match, id) => entries.some((one) => one.match === match && one.id === id)}
          onAdd={(entry, title) => {
            setFound(new Map([...found, [entry.id, title]]));
            change([...entries, entry]);
          }}
        />
      )}
    </FieldGroup>
  );
}

function faultOf(refused: Refused | undefined, at: string, number: string): string | undefined {
  return refused?.faultAt(`${at}/${number}`) ?? refused?.faultAt(`${at}/id`);
}

interface RowProps {
  readonly entry: Entry;
  readonly field: EntriesField;
  readonly target: string;
  readonly fault: string | undefined;
  readonly disabled: boolean;
  readonly onNumber: (number: number) => void;
  readonly onRemove: () => void;
}

function EntryRow({ entry, field, target, fault, disabled, onNumber, onRemove }: RowProps) {
  const said = useWords(RULES);
  const { name, minimum, maximum } = field.number;
  return (
    <li>
      <TextField
        label={target}
        hint={name === "factor" ? effectOf(entry.number, said) : undefined}
        fault={fault}
        type="number"
        step="any"
        {...(minimum !== undefined && { min: minimum })}
        {...(maximum !== undefined && { max: maximum })}
        disabled={disabled}
        value={Number.isNaN(entry.number) ? "" : String(entry.number)}
        onValue={(text) => onNumber(text === "" ? Number.NaN : Number(text))}
      />
      {!disabled && (
        <button type="button" aria-label={said.removeOf(target)} onClick={onRemove}>
          {said.remove}
        </button>
      )}
    </li>
  );
}

function effectOf(
  factor: number,
  said: { readonly lifts: string; readonly buries: string; readonly changesNothing: string },
): string {
  if (factor > 1) return `▲ ${said.lifts}`;
  return factor < 1 ? `▼ ${said.buries}` : said.changesNothing;
}
