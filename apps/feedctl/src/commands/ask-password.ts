import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** A line typed at a terminal without being shown. */
export async function askPassword(question: string): Promise<string> {
  process.stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden, terminal: true });
  try {
    const [line] = (await once(lines, "line")) as [string];
    return line;
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

/** The first line of standard input. */
export async function readPassword(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return "";
}
