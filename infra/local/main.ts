/**
 * The engines of this checkout, without containers: `main.ts start|stop|status [ENGINE…]`, all of them where none is
 * named. Ends with 0, with 1 where an engine does not do what was asked, with 2 where the command is not understood.
 */
import { serves, start, status, stop, writeEnvironment } from "./control.ts";
import type { Engine } from "./engine.ts";
import { ENGINES } from "./engines.ts";

const COMMANDS = { start, stop, status } as const;

const [command = "", ...names] = process.argv.slice(2);
process.exitCode = await main(command, names);

async function main(command: string, names: readonly string[]): Promise<number> {
  if (!isCommand(command)) return misunderstood(`no such command: ${command}`);
  const unknown = names.find((name) => ENGINES.every((engine) => engine.name !== name));
  if (unknown !== undefined) return misunderstood(`no such engine: ${unknown}`);
  const chosen = ENGINES.filter(({ name }) => names.length === 0 || names.includes(name));
  const done: boolean[] = [];
  // One after the other: each start is busy on every core.
  for (const engine of chosen) done.push(await report(command, engine));
  if (command === "start") writeEnvironment(ENGINES);
  return done.every(Boolean) ? 0 : 1;
}

/** Does it and prints a line; whether the engine then is as it was asked to be. */
async function report(command: keyof typeof COMMANDS, engine: Engine): Promise<boolean> {
  try {
    const line = await COMMANDS[command](engine);
    console.log(`${engine.name}: ${line}`);
    return command === "stop" || (await serves(engine));
  } catch (error) {
    console.error(`${engine.name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function isCommand(text: string): text is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, text);
}

function misunderstood(complaint: string): number {
  const engines = ENGINES.map(({ name }) => name).join("|");
  console.error(`${complaint}; usage: start|stop|status [${engines}]…`);
  return 2;
}
