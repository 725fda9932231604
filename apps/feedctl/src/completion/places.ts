import type { Command } from "commander";

/** What can be typed at one place: after `feedctl`, or after one of its commands. */
export interface Place {
  /** Commands so far, each with a slash before it; empty after `feedctl` itself. */
  readonly path: string;
  readonly words: readonly Word[];
}

interface Word {
  readonly text: string;
  readonly description: string;
  /** Of an option that takes one: the values it knows, or "directory" or "any". */
  readonly value?: readonly string[] | "directory" | "any";
}

/** Every place of a command line, from the outside in. Options of the program hold everywhere. */
export function placesOf(program: Command): readonly Place[] {
  const shared = optionsOf(program);
  const visit = (command: Command, path: string): readonly Place[] => {
    const own = path === "" ? [] : optionsOf(command);
    const words = [...commandsOf(command), ...choicesOf(command), ...own, ...shared];
    return [
      { path, words },
      ...command.commands.flatMap((each) => visit(each, `${path}/${each.name()}`)),
    ];
  };
  return visit(program, "");
}

function commandsOf(command: Command): readonly Word[] {
  return command.commands.map((each) => ({ text: each.name(), description: each.description() }));
}

function choicesOf({ registeredArguments }: Command): readonly Word[] {
  return registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  );
}

function optionsOf({ options }: Command): readonly Word[] {
  return options.map(({ long, description, required, optional, argChoices, flags }) => {
    const word = { text: long ?? flags, description };
    if (!required && !optional) return word;
    return { ...word, value: argChoices ?? (flags.includes("<directory>") ? "directory" : "any") };
  });
}
