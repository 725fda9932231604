import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "@feed/runtime";
import type { Command } from "commander";
import { INSTALLATION_SETTINGS } from "./settings.ts";

const FILE = "content-feed/config.json";
const VARIABLES: ReadonlySet<string> = new Set(
  Object.values(INSTALLATION_SETTINGS).map(({ variable }) => variable),
);

/** An installation by name: what a command takes where neither a flag nor the environment says it. */
export interface Profile {
  /** Data directory. */
  readonly data?: string;
  /** By the names of the environment variables. */
  readonly settings: Readonly<Record<string, string>>;
}

type Environment = Record<string, string | undefined>;

/** Where profiles are kept: FEEDCTL_CONFIG, else below XDG_CONFIG_HOME, else below `~/.config`. */
export function configFile(env: Readonly<Environment>): string {
  const { FEEDCTL_CONFIG: file = "", XDG_CONFIG_HOME: folder = "" } = env;
  if (file !== "") return file;
  return join(folder === "" ? join(homedir(), ".config") : folder, FILE);
}

/**
 * Gives every command `--profile`. Before one runs, what its profile says takes the place of what neither a flag nor the
 * environment says: flags before environment before profile.
 *
 * Errors: ConfigError, in one line, for a file or a profile that can't be used.
 */
export function addProfiles(program: Command, env: Environment): void {
  program
    .option(
      "--profile <name>",
      "profile of the config file (default: FEEDCTL_PROFILE, or the file's)",
    )
    .hook("preAction", (_, command) => {
      const { profile: flag } = program.opts<{ profile?: string }>();
      const profile = profileOf(configFile(env), flag ?? env["FEEDCTL_PROFILE"]);
      for (const [name, value] of Object.entries(profile.settings)) env[name] ??= value;
      if (profile.data !== undefined && command.getOptionValueSource("data") === "default")
        command.setOptionValueWithSource("data", profile.data, "config");
    });
}

/** @param asked undefined, or empty: the file's default profile, if it has one. */
function profileOf(path: string, asked = ""): Profile {
  const text = textOf(path);
  if (text === undefined) {
    if (asked === "") return { settings: {} };
    throw new ConfigError([`there is no ${path} with a profile ${asked}`]);
  }
  try {
    return readProfile(text, asked);
  } catch (error) {
    throw new ConfigError([`${path}: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** @throws Error that says what is wrong in the file, and never a value: it may be a secret. */
function readProfile(text: string, asked: string): Profile {
  const file = membersOf(parsed(text), "the file", ["default_profile", "profiles"]);
  const profiles = membersOf(file["profiles"] ?? {}, "profiles");
  const name = asked === "" ? file["default_profile"] : asked;
  if (name === undefined) return { settings: {} };
  if (typeof name !== "string") throw new Error("default_profile is no text");
  if (!Object.hasOwn(profiles, name))
    throw new Error(`there is no profile ${name}; there are: ${Object.keys(profiles).join(", ")}`);
  const place = `profiles.${name}`;
  const { data, settings = {} } = membersOf(profiles[name], place, ["data", "settings"]);
  if (data !== undefined && typeof data !== "string") throw new Error(`${place}.data is no text`);
  return {
    settings: settingsOf(settings, `${place}.settings`),
    ...(data === undefined ? {} : { data }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("this is no JSON");
  }
}

function settingsOf(value: unknown, place: string): Readonly<Record<string, string>> {
  const settings = Object.entries(membersOf(value, place, VARIABLES));
  return Object.fromEntries(
    settings.map(([name, each]) => {
      if (typeof each !== "string") throw new Error(`${place}.${name} is no text`);
      return [name, each];
    }),
  );
}

function membersOf(
  value: unknown,
  place: string,
  known?: Iterable<string>,
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${place} is no object`);
  const names = known === undefined ? undefined : new Set(known);
  const unknown = Object.keys(value).find((name) => names?.has(name) === false);
  if (unknown !== undefined) throw new Error(`${place} has no member ${unknown}`);
  return value as Readonly<Record<string, unknown>>;
}
