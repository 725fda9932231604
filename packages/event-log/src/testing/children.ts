import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { until } from "../conformance/harness.ts";

/** A process starts in a second, and in many where others start too. */
const PATIENCE_MS = 60_000;

/** Another process on the same log, and what it printed. */
export class Child implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly errors: string[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;

  /** Runs `script` of this folder with Node, through `command` when one is given. */
  constructor(script: string, args: readonly string[], command: readonly string[] = []) {
    const path = fileURLToPath(new URL(`./${script}`, import.meta.url));
    const [program = process.execPath, ...rest] = [...command, process.execPath, path, ...args];
    this.#process = spawn(program, rest, { stdio: ["pipe", "pipe", "pipe"] });
    const { stdout, stderr } = this.#process;
    if (stdout === null || stderr === null) throw new Error("a child has pipes");
    createInterface(stdout).on("line", (line) => this.lines.push(line));
    createInterface(stderr).on("line", (line) => this.errors.push(line));
    this.#ended = new Promise((resolve) => this.#process.once("close", () => resolve()));
  }

  async printed(lines: number): Promise<void> {
    const isPrinted = () => this.lines.length >= lines;
    await until(`${lines} lines of a child`, PATIENCE_MS, isPrinted).catch((error: unknown) => {
      throw new Error(this.errors.join("; "), { cause: error });
    });
  }

  async ended(): Promise<void> {
    await this.#ended;
  }

  /** kill -9, and everything it had printed until then has been read. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
