import { Command, InvalidArgumentError } from "commander";
import type { DeadLettersRole } from "../dead-letters-role.ts";
import {
  letterTable,
  presentLetter,
  presentReplay,
  presentShown,
  replayLine,
  shownLines,
} from "./dead-letters-text.ts";
import { operate, operatingCommand, type Finding, type OperatingFlags } from "./operating.ts";

/** `feedctl dead-letters …`: records that no projection could take; docs/operating/dead-letters.md. */
export function deadLettersCommand(dataDefault: string): Command {
  return new Command("dead-letters")
    .description("Look at records that could not be projected, replay and discard them")
    .addCommand(listCommand(dataDefault))
    .addCommand(showCommand(dataDefault))
    .addCommand(replayCommand(dataDefault))
    .addCommand(discardCommand(dataDefault))
    .exitOverride();
}

function listCommand(dataDefault: string): Command {
  return operatingCommand("list", "List open ones; ends with 1 where there are any", dataDefault)
    .option("--all", "also those that were replayed or discarded", false)
    .action((flags: OperatingFlags & { readonly all: boolean }) =>
      withDeadLetters(flags, async (deadLetters) => {
        const every = await deadLetters.list();
        const open = every.filter(({ settled }) => settled === undefined);
        const listed = flags.all ? every : open;
        const json = { dead_letters: listed.map(presentLetter) };
        console.log(flags.json ? JSON.stringify(json) : letterTable(listed));
        return open.length > 0 ? "found" : "well";
      }),
    );
}

function showCommand(dataDefault: string): Command {
  return operatingCommand("show", "Show one, decoded as far as that is possible", dataDefault)
    .argument("<id>", "its number in the list", letterId)
    .action((id: number, flags: OperatingFlags) =>
      withDeadLetters(flags, async (deadLetters) => {
        const shown = await deadLetters.show(id);
        console.log(
          flags.json ? JSON.stringify(presentShown(shown)) : shownLines(shown).join("\n"),
        );
        return "well";
      }),
    );
}

function replayCommand(dataDefault: string): Command {
  return operatingCommand("replay", "Hand records to their projections again", dataDefault)
    .argument("<id...>", "their numbers in the list", letterIds)
    .action((ids: readonly number[], flags: OperatingFlags) =>
      withDeadLetters(flags, async (deadLetters) => {
        const replays = await deadLetters.replay(await deadLetters.openOnes(ids));
        const json = { replays: replays.map(presentReplay) };
        console.log(flags.json ? JSON.stringify(json) : replays.map(replayLine).join("\n"));
        return replays.every(([, { outcome }]) => outcome === "effective") ? "well" : "found";
      }),
    );
}

function discardCommand(dataDefault: string): Command {
  return operatingCommand("discard", "Say that records will never take effect", dataDefault)
    .argument("<id...>", "their numbers in the list", letterIds)
    .requiredOption("--note <text>", "why, for whoever looks at it later")
    .action((ids: readonly number[], flags: OperatingFlags & { readonly note: string }) =>
      withDeadLetters(flags, async (deadLetters) => {
        const letters = await deadLetters.openOnes(ids);
        await deadLetters.discard(letters, flags.note);
        const discarded = letters.map(({ id }) => id);
        const lines = discarded.map((id) => `${id}: discarded`);
        console.log(flags.json ? JSON.stringify({ discarded }) : lines.join("\n"));
        return "well";
      }),
    );
}

function withDeadLetters(
  flags: OperatingFlags,
  work: (deadLetters: DeadLettersRole) => Promise<Finding>,
): Promise<void> {
  return operate("dead-letters", flags, async (installation, log) => {
    const { openDeadLetters } = await import("../dead-letters-role.ts");
    await using deadLetters = await openDeadLetters(installation, log);
    return await work(deadLetters);
  });
}

function letterId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("not the number of a dead letter");
  return Number(text);
}

function letterIds(text: string, earlier: readonly number[] = []): readonly number[] {
  return [...new Set([...earlier, letterId(text)])];
}
