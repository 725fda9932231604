import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportFailure } from "./failure.ts";
import { addProfiles, configFile } from "./profiles.ts";

const stack = new AsyncDisposableStack();
let path: string;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
});
afterAll(() => stack.disposeAsync());

const FILE = {
  default_profile: "local",
  profiles: {
    local: { data: "/data/local" },
    cluster: {
      data: "/data/cluster",
      settings: { EVENT_LOG: "kafka://host:9092/feed", LOG_LEVEL: "info" },
    },
  },
};

interface Asked {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Undefined: no file. */
  readonly file?: unknown;
}

/** What a command sees: its data directory and its environment. Rejects as `feedctl` would fail. */
async function seen({ args = [], env = {}, file }: Asked) {
  const config = join(path, `${Math.random()}.json`);
  const text = typeof file === "string" ? file : JSON.stringify(file);
  if (file !== undefined) await writeFile(config, text);
  const environment: Record<string, string | undefined> = { ...env, FEEDCTL_CONFIG: config };
  let data = "";
  const command = new Command("lag")
    .option("--data <directory>", "", ".data")
    .action((flags: { data: string }) => {
      ({ data } = flags);
    });
  const program = new Command("feedctl");
  addProfiles(program, environment);
  await program.addCommand(command).parseAsync(["lag", ...args], { from: "user" });
  return { data, log: environment["EVENT_LOG"], level: environment["LOG_LEVEL"] };
}

describe("A profile", () => {
  it("says the data directory and the settings that nothing else says", async () => {
    expect(await seen({ file: FILE, args: ["--profile", "cluster"] })).toEqual({
      data: "/data/cluster",
      log: "kafka://host:9092/feed",
      level: "info",
    });
  });

  it("is the file's default where none is asked for, or that of FEEDCTL_PROFILE", async () => {
    expect((await seen({ file: FILE })).data).toBe("/data/local");
    const env = { FEEDCTL_PROFILE: "cluster" };
    expect((await seen({ file: FILE, env })).data).toBe("/data/cluster");
    expect((await seen({ file: FILE, env, args: ["--profile", "local"] })).data).toBe(
      "/data/local",
    );
  });

  it("gives way to the environment, and to flags", async () => {
    const args = ["--profile", "cluster", "--data", ".data"];
    expect(await seen({ file: FILE, args, env: { EVENT_LOG: "", LOG_LEVEL: "debug" } })).toEqual({
      data: ".data",
      log: "",
      level: "debug",
    });
  });

  it("is not needed", async () => {
    expect((await seen({})).data).toBe(".data");
    expect((await seen({ file: {} })).data).toBe(".data");
  });

  it.each<[string, Asked, RegExp]>([
    ["no file", { args: ["--profile", "x"] }, /there is no \S+\.json with a profile x$/],
    [
      "no such profile",
      { file: FILE, args: ["--profile", "x"] },
      /no profile x; there are: local, cluster$/,
    ],
    ["no JSON", { file: "{" }, /\.json: this is no JSON$/],
    ["a list", { file: [] }, /\.json: the file is no object$/],
    ["another member", { file: { profile: {} } }, /\.json: the file has no member profile$/],
    [
      "a number",
      { file: { default_profile: "a", profiles: { a: { data: 1 } } } },
      /profiles\.a\.data is no text$/,
    ],
    [
      "another setting",
      { file: { default_profile: "a", profiles: { a: { settings: { EVNT_LOG: "secret" } } } } },
      /profiles\.a\.settings has no member EVNT_LOG$/,
    ],
  ])("ends the command with one line that says what is wrong: %s", async (_, asked, line) => {
    const lines: string[] = [];
    const failed = await seen(asked).catch((error: unknown) => {
      const { error: print } = console;
      console.error = (text: string) => lines.push(text);
      try {
        return reportFailure(error);
      } finally {
        console.error = print;
      }
    });
    expect(failed).toBe(1);
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines[0]).not.toMatch(/\n|secret/);
  });
});

describe("The config file", () => {
  it("is where FEEDCTL_CONFIG says, else below XDG_CONFIG_HOME, else below ~/.config", () => {
    expect(configFile({ FEEDCTL_CONFIG: "/a.json", XDG_CONFIG_HOME: "/x" })).toBe("/a.json");
    expect(configFile({ XDG_CONFIG_HOME: "/x" })).toBe("/x/content-feed/config.json");
    expect(configFile({})).toMatch(/\/\.config\/content-feed\/config\.json$/);
  });
});
