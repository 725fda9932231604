import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { freePort, temporaryDirectory } from "@feed/test-kit";
import { findOldestNode, openProject } from "../packages/client/src/testing/published.fixture.ts";
import type { Service } from "../packages/client/src/testing/service.fixture.ts";

const DOCS = resolve(import.meta.dirname, "../docs");
const READY = "listening";
const PYTHON = "python3";

/**
 * Shell code in front of what pages print. `repeated PATTERN COMMAND…` runs a command again as long as it says so, and prints
 * what it printed last; `curl` ends with an error for an answer that refuses, and asks again while that is 503, which says
 * that it may.
 */
export const PATIENT_SHELL = `
repeated() {
  pattern=$1
  shift
  said=$(mktemp)
  for attempt in $(seq 60); do
    code=0
    "$@" > "$said" 2> "$said.error" || code=$?
    cat "$said" "$said.error" | grep -Eq "$pattern" || break
    sleep 1
  done
  cat "$said"
  cat "$said.error" >&2
  rm "$said" "$said.error"
  return $code
}
curl() { repeated 'returned error: 503' command curl --fail-with-body --show-error "$@"; }
`;

/** The blocks of a page below docs/ in one language, as they are printed. */
export async function snippetsOf(page: string, language: string): Promise<readonly string[]> {
  const text = await readFile(join(DOCS, page), "utf8");
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"));
  return [...blocks].map(([, code = ""]) => code);
}

/** A program of a page that listens, until it is disposed. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly printed: () => string;
}

/** Where the snippets of some pages are run as their readers would, against one service. */
export interface Workshop extends AsyncDisposable {
  /** Runs the program of a page to its end. Rejects with what was printed where it fails. */
  run(page: string, language: Language): Promise<string>;
  /** Runs each shell block of a page, but those that begin with `make`, and resolves with what each printed; `PATIENT_SHELL`. */
  shell(page: string, environment?: Environment): Promise<readonly string[]>;
  /** Runs shell code in a directory that has the `.data` of a page's reader; resolves with what it printed. */
  sh(code: string): Promise<string>;
  /** Starts the program of a page, on a free port unless PORT is given, and waits until it listens. */
  listen(page: string, language: Language, environment?: Environment): Promise<Listening>;
}

type Language = "ts" | "python";
type Environment = Readonly<Record<string, string>>;

/** Compiles the TypeScript of all pages at once, against the client as it is published. */
export async function openWorkshop(service: Service, pages: readonly string[]): Promise<Workshop> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const project = stack.use(await openProject(findOldestNode() ?? process.execPath));
  const programs = await Promise.all(
    pages.map(async (page) => [nameOf(page), (await snippetsOf(page, "ts"))[0]] as const),
  );
  await project.compile(
    Object.fromEntries(
      programs.flatMap(([name, code]) => (code === undefined ? [] : [[name, code]])),
    ),
  );
  await mkdir(join(path, ".data"));
  const facts = { base_url: service.baseUrl, api_key: service.apiKey };
  await writeFile(join(path, ".data/demo.json"), JSON.stringify(facts));
  await writeFile(join(path, ".data/admin.token"), service.adminToken);
  const given = {
    PATH: process.env["PATH"],
    PYTHONIOENCODING: "utf-8",
    CONTENT_FEED_URL: service.baseUrl,
    CONTENT_FEED_KEY: service.apiKey,
  };
  const commandOf = async (page: string, language: Language) => {
    if (language === "ts")
      return [process.execPath, join(project.path, `${nameOf(page)}.js`)] as const;
    const file = join(path, `${nameOf(page)}.py`);
    await writeFile(file, (await snippetsOf(page, "python"))[0] ?? "");
    return [PYTHON, file] as const;
  };
  const run = (command: readonly string[], environment: Environment = {}) =>
    outputOf(command, { cwd: path, env: { ...given, ...environment } });
  const owned = stack.move();
  return {
    run: async (page, language) => run(await commandOf(page, language)),
    shell: async (page, environment) => {
      const printed: string[] = [];
      for (const code of await snippetsOf(page, "sh"))
        if (!code.startsWith("make ")) printed.push(await run(shell(code), environment));
      return printed;
    },
    sh: (code) => run(shell(code)),
    listen: async (page, language, environment = {}) => {
      const port = Number(environment["PORT"] ?? (await freePort()));
      const [command, file] = await commandOf(page, language);
      const env = { ...given, ...environment, PORT: `${port}` };
      return listening(spawn(command, [file], { cwd: path, env }), port);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function shell(code: string): readonly string[] {
  return ["sh", "-e", "-c", `${PATIENT_SHELL}\n${code}`];
}

function nameOf(page: string): string {
  return page.replaceAll(/[^\w-]/g, "_");
}

function outputOf(
  [command = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((done, fail) => {
    execFile(command, args, options, (error, output, said) => {
      if (error === null) done(output);
      else fail(new Error(`${output}${said}`, { cause: error }));
    });
  });
}

async function listening(child: ChildProcess, port: number): Promise<Listening> {
  let output = "";
  const ended = once(child, "close");
  const ready = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.includes(READY)) done();
      });
    void ended.then(() => fail(new Error(`ended: ${output}`)));
  });
  await ready;
  return {
    port,
    printed: () => output,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
