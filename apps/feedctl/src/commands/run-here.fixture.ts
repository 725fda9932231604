import { Command } from "commander";
import { vi } from "vitest";
import { reportFailure } from "../failure.ts";

/** What a command prints, and the code `feedctl` would end with. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs a command in this process, for sentences that are not about processes: a process takes seconds to start. */
export async function runHere(
  command: Command,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const printed = { log: "", error: "" };
  const spies = (["log", "error"] as const).map((name) =>
    vi
      .spyOn(console, name)
      .mockImplementation((line: string) => void (printed[name] += `${line}\n`)),
  );
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    const failed = await new Command("feedctl")
      .addCommand(command)
      .parseAsync(args, { from: "user" })
      .then(() => undefined, reportFailure);
    const code = Number(failed ?? process.exitCode ?? 0);
    return { stdout: printed.log, stderr: printed.error, code };
  } finally {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
