/** A place within settings, from the outside in. */
export type Path = readonly string[];
/** Settings as the API takes and gives them. */
export type Values = Readonly<Record<string, unknown>>;

interface Place {
  readonly path: Path;
  /** What the schema says of it, in English. */
  readonly description: string | undefined;
}
export interface GroupField extends Place {
  readonly kind: "group";
  readonly fields: readonly SettingField[];
}
export interface NumberField extends Place {
  readonly kind: "number";
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly isInteger: boolean;
  /** Whether empty means null, a value of its own. */
  readonly isNullable: boolean;
}
export interface ChoiceSetting extends Place {
  readonly kind: "choice";
  readonly options: readonly string[];
}
export interface FlagField extends Place {
  readonly kind: "flag";
}
export interface ListField extends Place {
  readonly kind: "list";
  /** The only values there are; undefined where any text may stand. */
  readonly options: readonly string[] | undefined;
  readonly itemsMax: number | undefined;
  readonly isNullable: boolean;
}
/** Things of some kind, each with a number. */
export interface EntriesField extends Place {
  readonly kind: "entries";
  readonly itemsMax: number | undefined;
  /** Of what kinds the things are, by the values of `match`; undefined where there is no such choice. */
  readonly matches: readonly string[] | undefined;
  /** What the number is called, and its bounds. */
  readonly number: {
    readonly name: string;
    readonly minimum: number | undefined;
    readonly maximum: number | undefined;
  };
}
export type SettingField =
  | GroupField
  | NumberField
  | ChoiceSetting
  | FlagField
  | ListField
  | EntriesField;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

/**
 * The fields of a form for a schema of an OpenAPI document: objects are groups, and what is no object, number, text of
 * a few values, flag, list of texts or list of things with a number has no field.
 */
export function fieldsOf(document: unknown, name: string): readonly SettingField[] {
  const root = (document as { components: { schemas: Record<string, Schema> } }).components.schemas;
  const resolved = (schema: Schema): Schema => {
    const reference = schema.$ref?.split("/").at(-1);
    return reference === undefined ? schema : (root[reference] ?? schema);
  };
  const within = (schema: Schema, path: Path): readonly SettingField[] =>
    Object.entries(schema.properties ?? {}).flatMap(([key, child]) =>
      fieldOf(resolved(child), [...path, key]),
    );
  const fieldOf = (schema: Schema, path: Path): readonly SettingField[] => {
    const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    const place = { path, description: schema.description };
    const isNullable = types.includes("null");
    if (types.includes("object"))
      return [{ ...place, kind: "group", fields: within(schema, path) }];
    if (types.includes("boolean")) return [{ ...place, kind: "flag" }];
    if (types.includes("number") || types.includes("integer")) {
      const { minimum, maximum } = schema;
      const isInteger = types.includes("integer");
      return [{ ...place, kind: "number", minimum, maximum, isInteger, isNullable }];
    }
    if (types.includes("array")) {
      const items = resolved(schema.items ?? {});
      if (items.type === "object") return entriesField(place, schema.maxItems, items);
      const { enum: options } = items;
      return [{ ...place, kind: "list", options, itemsMax: schema.maxItems, isNullable }];
    }
    if (schema.enum !== undefined) return [{ ...place, kind: "choice", options: schema.enum }];
    return [];
  };
  return within(resolved(root[name] ?? {}), []);
}

/** Nothing where the things have no number. */
function entriesField(
  place: Place,
  itemsMax: number | undefined,
  { properties = {} }: Schema,
): readonly EntriesField[] {
  const [numeric] = Object.entries(properties).filter(([, { type }]) => type === "number");
  if (numeric === undefined) return [];
  const [name, { minimum, maximum }] = numeric;
  const number = { name, minimum, maximum };
  return [{ ...place, kind: "entries", itemsMax, matches: properties["match"]?.enum, number }];
}

/** The same fields, where lists of a group offer these values, and those that were chosen before. */
export function withChoices(
  fields: readonly SettingField[],
  group: string,
  choices: readonly string[],
  values: Values,
): readonly SettingField[] {
  return fields.map((field): SettingField => {
    if (field.kind === "group" && field.path[0] === group)
      return { ...field, fields: withChoices(field.fields, group, choices, values) };
    if (field.kind !== "list" || field.path[0] !== group) return field;
    const chosen = valueAt(values, field.path);
    const before = Array.isArray(chosen) ? chosen.map(String) : [];
    return { ...field, options: [...new Set([...choices, ...before])] };
  });
}

/** The value at a place; undefined where there is none. */
export function valueAt(values: Values, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), values);
}

/** The same values but for one; undefined takes it out, so that the service's default stands. */
export function withValue(values: Values, [step = "", ...rest]: Path, value: unknown): Values {
  const { [step]: before, ...others } = values;
  const after = rest.length === 0 ? value : withValue(isObject(before) ? before : {}, rest, value);
  return after === undefined ? others : { ...values, [step]: after };
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
