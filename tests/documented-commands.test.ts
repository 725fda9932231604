import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { openLog } from "@feed/engines/open-log";
import { freePort, temporaryDirectory, waitFor } from "@feed/test-kit";
import { runFeedctl, startFeedctl, type FeedctlProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOT_RUN, RUN_ELSEWHERE, RUN_HERE, STARTS, type RunHere } from "./documented-commands.ts";
import { untilProjected } from "./projector-lag.ts";
import { PATIENT_SHELL } from "./snippets.ts";

/**
 * Goal: every command of the documentation has been run. Method: the shell blocks of all pages are counted, and each is run
 * here, run by another test, or named with the reason why not. Those of here are run in a directory whose `.data` is that
 * of one service, which is started as the pages say.
 */
const ROOT = resolve(import.meta.dirname, "..");
const MAIN = join(ROOT, "apps/feedctl/src/main.ts");
const PAGE_TIMEOUT_MS = 300_000;
const IMPORT = "docs/operating/import-articles.md";
const PRINTED_PORT = /\b\d{4}\b/g;
const hasRequests = spawnSync("python3", ["-c", "import requests"]).status === 0;

interface Block {
  readonly page: string;
  readonly code: string;
}

const pages = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const textOf = (page: string) => readFileSync(join(ROOT, page), "utf8");
const blocks: readonly Block[] = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^ *```(?:sh|shell|bash|console)\n([\s\S]*?)^ *```$/gm)].map(
    ([, code = ""]) => ({ page, code }),
  ),
);
const isNotRun = ({ page, code }: Block): boolean =>
  NOT_RUN.some((entry) => entry.page === page && code.startsWith(entry.begins));
const isStart = ({ page, code }: Block): boolean =>
  STARTS.some(([of, begins]) => of === page && code.startsWith(begins));
const run = (page: string): readonly Block[] =>
  blocks.filter((block) => block.page === page && !isNotRun(block) && !isStart(block));

describe("Every shell block of the documentation", () => {
  it("is run here, by another test, or named with the reason why not", () => {
    const unaccounted = blocks.filter(
      (block) =>
        !isNotRun(block) &&
        !isStart(block) &&
        !RUN_HERE.has(block.page) &&
        RUN_ELSEWHERE[block.page] === undefined,
    );
    expect(unaccounted).toEqual([]);
  });

  it("that is named as not run, or as a start, is there once", () => {
    const named = [...NOT_RUN.map(({ page, begins }) => [page, begins] as const), ...STARTS];
    const counts = named.map(([page, begins]) => {
      const there = blocks.filter((block) => block.page === page && block.code.startsWith(begins));
      return [page, begins, there.length];
    });
    expect(counts.filter(([, , count]) => count !== 1)).toEqual([]);
  });

  it("of a page that is said to be run is there, and so is the test that runs it", () => {
    const empty = [...RUN_HERE.keys(), ...Object.keys(RUN_ELSEWHERE)].filter(
      (page) => run(page).length === 0,
    );
    const tests = Object.entries(RUN_ELSEWHERE).filter(([page, test]) => {
      const name = page.replace(/^docs\//, "");
      const [, folder = "", file = ""] = /^(.*?)\/?([^/]+)\.md$/.exec(name) ?? [];
      const text = existsSync(join(ROOT, test)) ? textOf(test) : "";
      return !text.includes(name) && !(text.includes(`"${file}"`) && text.includes(`${folder}/`));
    });
    const reasons = NOT_RUN.flatMap(({ reason }) => reason.match(/\S+\.test\.ts/g) ?? []);
    const gone = reasons.filter((test) => !existsSync(join(ROOT, test)));
    expect({ empty, tests, gone }).toEqual({ empty: [], tests: [], gone: [] });
  });
});

const stack = new AsyncDisposableStack();
let directory: string;
let service: FeedctlProcess;
let values: Readonly<Record<string, string>>;

/** What the pages start the service with: ports of their own are free ones here. */
async function start(ports: Readonly<Record<string, number>>) {
  const printed = blocks.filter(isStart).map(({ code }) => code.trim());
  expect(printed.join("\n").match(PRINTED_PORT)).toHaveLength(Object.keys(ports).length);
  const text = printed
    .join("\n")
    .replaceAll(PRINTED_PORT, (port) => `${ports[port] ?? "a port of no page"}`);
  const environment = Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(\S+) npm start$/gm)].map(([, name, value]) => [name, value]),
  );
  const [, flags = ""] = /^npm start -- (.*)$/m.exec(text) ?? [];
  const data = join(directory, ".data");
  const args = flags.split(" ").map((word) => (word === ".data" ? data : word));
  return startFeedctl(["up", ...args], { environment });
}

/** Takes webhooks and traces. */
async function openReceiver() {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    request.resume().on("end", () => response.writeHead(200).end("{}"));
  });
  // Kept until the service ends it: one that ends here, just as it is used again, would lose what is sent.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { port: (server.address() as { port: number }).port, paths };
}
let receiver: Awaited<ReturnType<typeof openReceiver>>;
/** What the import of the articles has printed: the other pages take them for granted. */
let imported = "";

/** A directory as a reader has it, whose service has two tenants and a key. */
async function openReader(): Promise<void> {
  directory = stack.use(await temporaryDirectory()).path;
  await mkdir(join(directory, ".data"));
  await symlink(join(ROOT, "docs"), join(directory, "docs"));
  receiver = await openReceiver();
  const dataTeam = await freePort();
  service = stack.use(await start({ 9000: await freePort(), 8124: dataTeam, 4318: receiver.port }));
  const base = service.listening;
  const admin = readFileSync(join(directory, ".data/admin.token"), "utf8").trim();
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${admin}`, "content-type": "application/json" };
    const init = { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${base}/admin/v1/tenants/${path}`, init);
    expect(answer.ok).toBe(true);
    return (await answer.json()) as { readonly data: { readonly api_key: string } };
  };
  for (const tenant of ["demo", "acme"]) {
    const allowed = { default_licence: "body", explain_allowed: true };
    await call("PUT", tenant, { name: tenant, ...allowed });
    await call("PUT", `${tenant}/scenarios/main`, { type: "feed" });
    await call("PUT", `${tenant}/default-scenarios`, { feed: "main" });
  }
  const { data } = await call("POST", "demo/keys", {});
  const facts = { base_url: base, api_key: data.api_key };
  await writeFile(join(directory, ".data/demo.json"), JSON.stringify(facts));
  await writeFile(join(directory, "articles.jsonl"), articles());
  const address = (port: number) => `http://127.0.0.1:${port}`;
  const receiving = `${address(receiver.port)}/hooks`;
  values = { base, admin, key: data.api_key, data_team: address(dataTeam), receiver: receiving };
  imported = await runPage(IMPORT, RUN_HERE.get(IMPORT)!);
  await until(feedHas(2));
  const click = {
    type: "click",
    user_id: "reader-2",
    session_id: "s-2",
    content_id: await firstId(),
  };
  await callAsTenant("/v1/events", JSON.stringify({ events: [click] }));
}

/** The article of the page about imports, and another. */
function articles(): string {
  const [, json = "{}"] =
    /^```json\n([\s\S]*?)^```$/m.exec(textOf("docs/operating/import-articles.md")) ?? [];
  const article = JSON.parse(json) as object;
  const published_at = new Date().toISOString();
  const other = { url: "https://news.example.com/a/2", title: "The ferry is late" };
  return [article, { ...article, ...other }]
    .map((each) => `${JSON.stringify({ ...each, published_at })}\n`)
    .join("");
}

/** What a busy machine makes of a command that waits for the service. */
const NOT_YET = "no projector .* answered|waits to be sent";

/** `npm run feedctl --` and `curl` as the pages call them; what curl is refused ends the page. */
const prelude = () => `${PATIENT_SHELL}
npm() { while [ "$1" != -- ]; do shift; done; shift; repeated '${NOT_YET}' "${process.execPath}" \\
  --disable-warning=ExperimentalWarning --disable-warning=TimeoutNegativeWarning "${MAIN}" "$@"; }
finds() { "$@" || [ $? -eq 1 ]; }
${Object.entries(values)
  .map(([name, value]) => `${name}='${value}'`)
  .join("\n")}
`;

async function runPage(page: string, { given = "", replace = [] }: RunHere): Promise<string> {
  let code = run(page)
    .map((block) => block.code)
    .join("\n");
  for (const [printed, instead] of replace) {
    expect(code).toContain(printed);
    code = code.replaceAll(printed, instead);
  }
  // The service listens on a free port.
  code = code.replaceAll("base=http://127.0.0.1:8080", `base=${values["base"]}`);
  const { PATH, NODE_COMPILE_CACHE, FEEDCTL_CONFIG, HOME } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, FEEDCTL_CONFIG, HOME, PYTHONIOENCODING: "utf-8" };
  const script = [prelude(), given, code].join("\n");
  return new Promise((done, fail) => {
    execFile("sh", ["-e", "-c", script], { cwd: directory, env }, (error, output, said) => {
      if (error === null) done(output);
      else fail(new Error(`${page}: ${output}${said}`, { cause: error }));
    });
  });
}

/** A record that nobody can read, for the page about them. */
async function buryOne(): Promise<void> {
  const { eventLog } = await openLog({ dataDirectory: join(directory, ".data") });
  await using _log = eventLog;
  const place = { topic: "users", partition: 9, key: "key" } as const;
  await eventLog.append([{ ...place, value: Buffer.from("garbage"), timestampMs: Date.now() }]);
  const end = async () => (await eventLog.endOffsets("dead-letters"))[0] ?? 0;
  await waitFor(async () => (await end()) > 0);
}

describe("The shell blocks of", { timeout: PAGE_TIMEOUT_MS }, () => {
  beforeAll(openReader, PAGE_TIMEOUT_MS);
  afterAll(() => stack.disposeAsync(), PAGE_TIMEOUT_MS);

  const here = [...RUN_HERE].filter(([page]) => hasRequests || page !== "docs/examples/README.md");

  it.each(here.filter(([, { service: is }]) => is !== "stopped"))("%s", async (page, how) => {
    if (page === "docs/operating/dead-letters.md") await buryOne();
    if (page === "docs/data/queries.md") await until(counted);
    // What is half applied while the projector is not let run differs from the log, and says so.
    if (page === "docs/operating/verify.md")
      await untilProjected((...args) => runFeedctl([...args, "--data", join(directory, ".data")]));
    expect(page === IMPORT ? imported : await runPage(page, how)).toMatch(how.prints);
  });

  it("docs/operating/traces.md: the service sends its traces there", async () => {
    await expect.poll(() => receiver.paths).toContain("/v1/traces");
  });

  it.each(here.filter(([, { service: is }]) => is === "stopped"))("%s", async (page, how) => {
    await service.stop("SIGTERM");
    expect(await runPage(page, how)).toMatch(how.prints);
  });
});

const until = (condition: () => Promise<boolean>) => waitFor(condition);

async function callAsTenant(path: string, body?: string): Promise<{ readonly data: object[] }> {
  const headers = {
    authorization: `Bearer ${values["key"]}`,
    "content-type": "application/json",
  };
  const method = body === undefined ? "GET" : "POST";
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  return (await (await fetch(`${values["base"]}${path}`, init)).json()) as { data: object[] };
}

const feed = async () => (await callAsTenant("/v1/feed?limit=3")).data as { id: string }[];
const firstId = async () => (await feed())[0]?.id;

/** What was imported can be served. */
function feedHas(articles: number): () => Promise<boolean> {
  return async () => (await feed()).length === articles;
}

/** The click is in the tables of data teams. */
async function counted(): Promise<boolean> {
  const authorization = `Basic ${btoa("analyst:a-very-long-password")}`;
  const body = "SELECT count() > 0 FROM feed.events WHERE kind = 'click'";
  const init = { method: "POST", headers: { authorization }, body };
  const answer = await fetch(`${values["data_team"]}/`, init);
  return /^(1|true)$/.test((await answer.text()).trim());
}
