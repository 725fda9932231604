import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Runs a `*.main.ts` of the harness in a process of its own and gives what it printed, as JSON. `before`
 * goes in front of the command (see `ON_SERVER_CORE`).
 */
export async function reportOf<Report>(
  main: string,
  args: readonly string[],
  before: readonly string[] = [],
): Promise<Report> {
  const [command = "", ...rest] = [...before, process.execPath, ...process.execArgv, main, ...args];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${main} ended with code ${code}`);
  return JSON.parse(printed) as Report;
}
