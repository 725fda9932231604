import { useId, useState } from "preact/hooks";
import { CheckField, FieldGroup } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { SCENARIOS } from "./scenarios.words.ts";
import type { ListField } from "./setting-fields.ts";
import { useSettingNames } from "./setting-name.ts";

interface ListInputProps {
  readonly field: ListField;
  readonly value: unknown;
  readonly label: string;
  readonly fault: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: readonly string[] | null) => void;
}

/** Some of a few values as check boxes; any texts as lines. Where the list may be null, an empty one is. */
export function ListInput({ field, value, label, fault, disabled, onChange }: ListInputProps) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const change = (items: readonly string[]) =>
    onChange(items.length === 0 && field.isNullable ? null : items);
  const said = useWords(SCENARIOS);
  const { optionOf } = useSettingNames();
  const { options } = field;
  if (options === undefined)
    return <LinesInput {...{ field, label, fault, disabled }} initial={chosen} onChange={change} />;
  return (
    <FieldGroup legend={label}>
      <div class="checks">
        {options.map((option) => (
          <CheckField
            key={option}
            label={optionOf(field.path, option)}
            checked={chosen.includes(option)}
            disabled={disabled}
            onValue={(isChosen) =>
              change(options.filter((one) => (one === option ? isChosen : chosen.includes(one))))
            }
          />
        ))}
      </div>
      {field.isNullable && <p class="hint">{said.all}</p>}
    </FieldGroup>
  );
}

interface LinesProps extends Omit<ListInputProps, "value" | "onChange"> {
  readonly initial: readonly string[];
  readonly onChange: (items: readonly string[]) => void;
}

/** Keeps the text as it is typed: an empty line is no item, but somebody may be about to write one. */
function LinesInput({ field, label, fault, disabled, initial, onChange }: LinesProps) {
  const said = useWords(SCENARIOS);
  const id = useId();
  const [text, setText] = useState(initial.join("\n"));
  const change = (next: string) => {
    setText(next);
    onChange(
      next
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    );
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={2}
        value={text}
        disabled={disabled}
        aria-describedby={`${id}-hint`}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <div id={`${id}-hint`}>
        <p class="hint">
          {said.oneALine} {field.isNullable && said.all}
        </p>
        {fault !== undefined && (
          <p class="fault" lang="en">
            {fault}
          </p>
        )}
      </div>
    </div>
  );
}
