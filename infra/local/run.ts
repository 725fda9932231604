import { spawn } from "node:child_process";

/** Of what a program that failed has said. */
const COMPLAINT_CHARS = 2_000;

/** Runs a program to its end. Errors: one that begins with what was to be done and ends with what the program said. */
export async function run(
  purpose: string,
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let complaint = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = await new Promise<string | undefined>((resolve) => {
    child.once("error", (error) => resolve(missing(program, error)));
    child.once("close", (code) =>
      resolve(code === 0 ? undefined : `${program} ended with ${code}`),
    );
  });
  if (ended === undefined) return output;
  const said = (complaint.trim() || output.trim()).slice(-COMPLAINT_CHARS);
  throw new Error(`${purpose}: ${ended}${said === "" ? "" : `\n${said}`}`);
}

function missing(program: string, error: NodeJS.ErrnoException): string {
  return error.code === "ENOENT" ? `${program} is not installed` : error.message;
}
