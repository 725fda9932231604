interface SettingBase<Value> {
  /** Name of the environment variable. */
  readonly variable: string;
  /** What it means, with its unit; part of the line that reports a violation. */
  readonly doc: string;
  /** Absent: the variable must be set. */
  readonly fallback?: Value;
}

interface TextSetting<Value extends string = string> extends SettingBase<Value> {
  readonly kind: "text";
  /** The values that are allowed; absent: any text that is not empty. */
  readonly oneOf?: readonly Value[];
}

interface IntegerSetting extends SettingBase<number> {
  readonly kind: "integer";
  readonly min: number;
  readonly max: number;
}

interface FlagSetting extends SettingBase<boolean> {
  readonly kind: "flag";
}

type Setting = TextSetting | IntegerSetting | FlagSetting;

/** The settings of one process, by the name the code uses. */
export type ConfigSpec = Readonly<Record<string, Setting>>;

type ValueOf<S> = S extends IntegerSetting
  ? number
  : S extends FlagSetting
    ? boolean
    : S extends TextSetting<infer Value>
      ? S extends { readonly oneOf: readonly (infer Allowed)[] }
        ? Allowed
        : Value extends string
          ? string
          : never
      : never;

export type Config<Spec extends ConfigSpec> = {
  readonly [Name in keyof Spec]: ValueOf<Spec[Name]>;
};

/**
 * The environment does not fit the specification; `violations` has one line for each setting that does not.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly violations: readonly string[];

  constructor(violations: readonly string[]) {
    super(violations.join("\n"));
    this.violations = violations;
  }
}

/**
 * Reads the settings of a process. Values are never repeated in a violation: they may be secrets.
 *
 * @throws ConfigError with one line for every violation, not for the first alone.
 */
export function readConfig<const Spec extends ConfigSpec>(
  spec: Spec,
  env: Readonly<Record<string, string | undefined>>,
): Config<Spec> {
  const values: Record<string, unknown> = {};
  const violations: string[] = [];
  for (const [name, setting] of Object.entries(spec)) {
    const text = env[setting.variable];
    const parsed = text === undefined || text === "" ? absent(setting) : parse(setting, text);
    if ("violation" in parsed)
      violations.push(`${setting.variable} ${parsed.violation} (${setting.doc})`);
    else values[name] = parsed.value;
  }
  if (violations.length > 0) throw new ConfigError(violations);
  return values as Config<Spec>;
}

type Parsed = { readonly value: string | number | boolean } | { readonly violation: string };

function absent(setting: Setting): Parsed {
  return setting.fallback === undefined ? { violation: "is not set" } : { value: setting.fallback };
}

function parse(setting: Setting, text: string): Parsed {
  switch (setting.kind) {
    case "text":
      if (setting.oneOf === undefined || setting.oneOf.includes(text)) return { value: text };
      return { violation: `must be one of ${setting.oneOf.join(", ")}` };
    case "integer": {
      const value = Number(text);
      const fits = /^-?\d+$/.test(text) && value >= setting.min && value <= setting.max;
      return fits
        ? { value }
        : { violation: `must be an integer from ${setting.min} to ${setting.max}` };
    }
    case "flag":
      if (text === "true" || text === "false") return { value: text === "true" };
      return { violation: "must be true or false" };
  }
}
