import type { Refused } from "../../shared/api.ts";
import { CheckField, ChoiceField, FieldGroup, TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { SCENARIOS } from "./scenarios.words.ts";
import { EntriesInput } from "./entries-input.tsx";
import { ListInput } from "./list-input.tsx";
import {
  valueAt,
  type NumberField,
  type Path,
  type SettingField,
  type Values,
} from "./setting-fields.ts";
import { useSettingNames } from "./setting-name.ts";

interface FormProps {
  readonly fields: readonly SettingField[];
  readonly values: Values;
  readonly isReadOnly: boolean;
  /** What was refused the last time. */
  readonly refused: Refused | undefined;
  /** Undefined: the service's default. */
  readonly onChange: (path: Path, value: unknown) => void;
}

/** Inputs for the fields of a schema, group by group. */
export function SettingsForm({ fields, ...form }: FormProps) {
  const { nameOf } = useSettingNames();
  const groups = fields.filter((field) => field.kind === "group");
  const others = fields.filter((field) => field.kind !== "group");
  return (
    <div class="settings">
      {groups.map(({ path, fields: within }) => (
        <FieldGroup
          key={path.join(".")}
          legend={nameOf(path)}
          fault={form.refused?.faultAt(`/settings/${path.join("/")}`)}
        >
          <SettingsForm fields={within} {...form} />
        </FieldGroup>
      ))}
      {others.map((field) => (
        <Setting key={field.path.join(".")} field={field} {...form} />
      ))}
    </div>
  );
}

type SettingProps = Omit<FormProps, "fields"> & {
  readonly field: Exclude<SettingField, { readonly kind: "group" }>;
};

function Setting({ field, values, isReadOnly, refused, onChange }: SettingProps) {
  const { nameOf, optionOf } = useSettingNames();
  const { path } = field;
  const value = valueAt(values, path);
  const fault = refused?.faultAt(`/settings/${path.join("/")}`);
  const shared = { label: nameOf(path), fault, disabled: isReadOnly };
  const change = (next: unknown) => onChange(path, next);
  switch (field.kind) {
    case "number":
      return <NumberInput field={field} value={value} onChange={change} {...shared} />;
    case "flag":
      return (
        <CheckField
          label={shared.label}
          checked={value === true}
          disabled={isReadOnly}
          onValue={change}
        />
      );
    case "choice":
      return (
        <ChoiceField
          {...shared}
          value={String(value ?? "")}
          options={field.options.map((option) => [option, optionOf(path, option)])}
          onValue={change}
        />
      );
    case "entries":
      return (
        <EntriesInput {...{ field, value, refused }} disabled={isReadOnly} onChange={change} />
      );
    case "list":
      return <ListInput field={field} value={value} onChange={change} {...shared} />;
  }
}

interface NumberProps {
  readonly field: NumberField;
  readonly value: unknown;
  readonly label: string;
  readonly fault: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: unknown) => void;
}

function NumberInput({ field, value, onChange, ...shared }: NumberProps) {
  const said = useWords(SCENARIOS);
  const { minimum, maximum, isInteger, isNullable } = field;
  const range =
    minimum === undefined
      ? ""
      : maximum === undefined
        ? said.atLeast(String(minimum))
        : said.between(String(minimum), String(maximum));
  const change = (text: string) => {
    if (text === "") return onChange(isNullable ? null : undefined);
    onChange(Number(text));
  };
  return (
    <TextField
      {...shared}
      hint={`${range} ${isNullable ? said.noBound : said.asDefault}`.trim()}
      type="number"
      step={isInteger ? 1 : "any"}
      {...(minimum !== undefined && { min: minimum })}
      {...(maximum !== undefined && { max: maximum })}
      value={typeof value === "number" ? String(value) : ""}
      onValue={change}
    />
  );
}
