import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { buildPackage } from "../../build.ts";

const ROOT = resolve(import.meta.dirname, "../../../..");
const OLDEST = "v20.";

/** How a program ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

/** A project of a tenant's, with the client installed as it is published. */
export interface Project extends AsyncDisposable {
  readonly path: string;
  /** Compiles TypeScript against the published declarations, to JavaScript beside it. Throws what the compiler says. */
  compile(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs `name`.js on the Node of the project. */
  run(name: string, env: Readonly<Record<string, string>>): Running;
}

interface Running {
  readonly ended: Promise<Ended>;
  /** Resolves with all that was printed once the text is in it. */
  printed(text: string): Promise<string>;
  kill(signal: "SIGTERM" | "SIGINT"): void;
}

/** The oldest Node the client promises to run on, where this machine has one. */
export function findOldestNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders
    .map((folder) => join(folder, "node"))
    .find((path) => {
      try {
        return execFileSync(path, ["--version"], { encoding: "utf8", stdio: "pipe" }).startsWith(
          OLDEST,
        );
      } catch {
        return false;
      }
    });
}

/** @param node runs its programs. */
export async function openProject(node: string): Promise<Project> {
  const directory = await temporaryDirectory();
  const { path } = directory;
  const modules = join(path, "node_modules");
  buildPackage(join(modules, "@content-feed/client"));
  mkdirSync(join(modules, "@types"));
  symlinkSync(join(ROOT, "node_modules/@types/node"), join(modules, "@types/node"));
  symlinkSync(join(ROOT, "node_modules/undici-types"), join(modules, "undici-types"));
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
  };
  writeFileSync(join(path, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(path, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  return {
    path,
    compile: (files) => compile(path, files),
    run: (name, env) => start(node, join(path, `${name}.js`), env),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

function compile(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, `${name}.ts`), text);
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  return new Promise((done, fail) => {
    execFile(process.execPath, [compiler, "-p", path], (error, output) => {
      if (error === null) done();
      else fail(new Error(output));
    });
  });
}

function start(node: string, file: string, env: Readonly<Record<string, string>>): Running {
  const child = spawn(node, [file], { env: { PATH: process.env["PATH"], ...env } });
  let output = "";
  const watching = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const look of watching) look();
    });
  }
  const ended = new Promise<Ended>((done) => {
    child.on("close", (code, signal) => done({ code, signal, output }));
  });
  const printed = (text: string) =>
    new Promise<string>((done, fail) => {
      const look = () => {
        if (output.includes(text)) done(output);
      };
      watching.add(look);
      look();
      void ended.then(() => fail(new Error(`ended without ${text}: ${output}`)));
    });
  return { ended, printed, kill: (signal) => void child.kill(signal) };
}
