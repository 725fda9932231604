import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesOf } from "./completion/places.ts";
import { COMPLETION_SCRIPTS, type Shell } from "./completion/scripts.ts";
import { feedctlProgram } from "./program.ts";

/** They run until they are stopped, or print what no program reads. */
const WITHOUT_RESULT = ["up", "api", "projector", "push", "crawler", "completion"];
const program = feedctlProgram({});

const stack = new AsyncDisposableStack();
let path: string;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
});
afterAll(() => stack.disposeAsync());

const has = (shell: Shell) => spawnSync(shell, ["--version"]).status === 0;
for (const shell of ["zsh", "fish"] as const)
  if (!has(shell)) process.stdout.write(`No ${shell}: its completion is left out.\n`);

function scriptOf(shell: Shell): string {
  const file = join(path, `feedctl.${shell}`);
  writeFileSync(file, COMPLETION_SCRIPTS[shell](placesOf(program)));
  return file;
}

/** What bash offers after these words, of which the last is not finished. */
function offeredByBash(...words: readonly string[]): readonly string[] {
  const code = `compopt() { echo "compopt $*"; }
source "$0"; COMP_WORDS=(feedctl "$@"); COMP_CWORD=$#; _feedctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync("bash", ["-c", code, scriptOf("bash"), ...words], {
    encoding: "utf8",
  });
  return output.split("\n").filter((line) => line !== "");
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

describe("feedctl", () => {
  it("has --json on every command with a result", () => {
    const without = leavesOf(program)
      .filter(({ options }) => options.every(({ long }) => long !== "--json"))
      .map((command) => command.name());
    expect(without).toEqual(WITHOUT_RESULT);
  });

  it("says of every command and option what it does", () => {
    const words = placesOf(program).flatMap((place) => place.words);
    expect(words.filter(({ description }) => description === "")).toEqual([]);
  });
});

describe("feedctl completion bash", () => {
  it("completes commands", () => {
    expect(offeredByBash("re")).toEqual(["reanalyse", "replay", "rebuild"]);
    expect(offeredByBash("sources", "re")).toEqual(["resume", "recrawl", "remove"]);
  });

  it("completes options of the command, and those of the program", () => {
    expect(offeredByBash("lag", "--")).toEqual(["--data", "--json", "--max-seconds", "--profile"]);
    expect(offeredByBash("--profile", "x", "lag", "--j")).toEqual(["--json"]);
  });

  it("completes what is one of a few, and directories; nothing for what can be anything", () => {
    expect(offeredByBash("rebuild", "c")).toEqual(["content-index"]);
    expect(offeredByBash("admin", "create", "--role", "e")).toEqual(["editor"]);
    expect(offeredByBash("lag", "--data", "")).toEqual(["compopt -o dirnames"]);
    expect(offeredByBash("lag", "--max-seconds", "")).toEqual([]);
  });
});

describe.skipIf(!has("zsh"))("feedctl completion zsh", () => {
  it("is read by zsh", () => {
    expect(() => execFileSync("zsh", ["-n", scriptOf("zsh")])).not.toThrow();
  });
});

describe.skipIf(!has("fish"))("feedctl completion fish", () => {
  it("completes commands and options", () => {
    const offered = (line: string) =>
      execFileSync("fish", ["-c", `source ${scriptOf("fish")}; complete -C "${line}"`], {
        encoding: "utf8",
      });
    expect(offered("feedctl sources re")).toMatch(/^resume\t.*\nrecrawl\t|^recrawl\t/);
    expect(offered("feedctl lag --ma")).toMatch(/^--max-seconds/);
  });
});
