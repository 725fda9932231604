import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the value. */
  readonly fault?: string | undefined;
}
interface InputProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "url" | "number" | "month" | "datetime-local";
  readonly name?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly min?: number | string;
  readonly max?: number | string;
  /** Of a number: `any`, or the distance of the values it may have. */
  readonly step?: number | "any";
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Id of a `datalist` with values to choose from. */
  readonly list?: string;
}

/** A labelled input, with a hint and what is wrong with it where screen readers find them. */
export function TextField({ label, hint, fault, onValue, ...input }: InputProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(input as object)}
        id={id}
        aria-describedby={`${id}-hint`}
        aria-invalid={fault !== undefined}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}

interface ChoiceProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly disabled?: boolean;
}

/** One of a few values. */
export function ChoiceField({ label, hint, fault, options, onValue, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        {...select}
        id={id}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}

/** Yes or no. */
export function CheckField(props: {
  readonly label: string;
  readonly checked: boolean;
  readonly onValue: (checked: boolean) => void;
  readonly disabled?: boolean;
}) {
  const { label, checked, onValue, disabled = false } = props;
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface FileProps extends FieldProps {
  /** Ends of names and media types the browser offers. */
  readonly accept: string;
  readonly onFile: (file: File | undefined) => void;
}

/** A file of the reader's own. */
export function FileField({ label, hint, fault, accept, onFile }: FileProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        type="file"
        id={id}
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}

interface GroupProps {
  readonly legend: string;
  /** What is wrong with them as a whole. */
  readonly fault?: string | undefined;
  readonly children: ComponentChildren;
}

/** Fields that belong together, under one name. */
export function FieldGroup({ legend, fault, children }: GroupProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {fault !== undefined && (
        <p class="fault" lang="en">
          {fault}
        </p>
      )}
      {children}
    </fieldset>
  );
}

function FieldNotes({ id, hint, fault }: Omit<FieldProps, "label"> & { readonly id: string }) {
  return (
    <div id={`${id}-hint`}>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {fault !== undefined && (
        <p class="fault" lang="en">
          {fault}
        </p>
      )}
    </div>
  );
}
