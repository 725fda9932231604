import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAnswering } from "./testing/answering.fixture.ts";
import { findOldestNode, openProject, type Project } from "./testing/published.fixture.ts";

// What is sent at the end is tried, not how soon this process answers: no limit of the client may come before.
const HEAD = `
import { createClient } from "@content-feed/client";
const baseUrl = process.env["CONTENT_FEED_URL"] ?? "";
const client = createClient({ baseUrl, apiKey: "k", timeoutMs: 600_000 });
const queue = client.eventQueue({
  closeTimeoutMs: 600_000,
  onDropped: ({ events, reason }) => console.log("lost", events.length, reason),
});
queue.push({ type: "click", user_id: "reader" });
`;
/** Something else that keeps the process going. */
const BUSY = `${HEAD}setInterval(() => undefined, 1_000); console.log("started");`;
const PROGRAMS = {
  ends: HEAD,
  busy: BUSY,
  watching: `${BUSY}
process.on("SIGTERM", async () => {
  console.log("stopping", queue.push({ type: "click", user_id: "last" }));
  await queue.close();
  process.exit(3);
});`,
  exits: `${HEAD}process.exit(0);`,
  version: `${HEAD}console.log(process.version);`,
};

let project: Project;
let server: Awaited<ReturnType<typeof openAnswering>>;
const accepted = { status: 202, json: { data: { accepted: 1, rejected: [] } } };
const oldest = findOldestNode();
if (oldest === undefined)
  process.stdout.write("No Node 20 in PATH: the published client is tried on this one.\n");

beforeAll(async () => {
  project = await openProject(oldest ?? process.execPath);
  await project.compile(PROGRAMS);
});
afterAll(() => project[Symbol.asyncDispose]());

const run = (name: keyof typeof PROGRAMS) =>
  project.run(name, { CONTENT_FEED_URL: server.baseUrl });
const sent = () =>
  server.asked.flatMap(({ body }) =>
    (JSON.parse(body) as { events: { user_id: string }[] }).events.map(({ user_id }) => user_id),
  );

describe("The client as it is published", () => {
  it("is JavaScript, declarations, a manifest without dependencies, README and licence", () => {
    const folder = join(project.path, "node_modules/@content-feed/client");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const kinds = new Set(
      files.map((name) => /^lib\/[\w.-]+?(\.d\.ts|\.js)$/.exec(name)?.[1] ?? name),
    );
    expect([...kinds].sort()).toEqual([
      ".d.ts",
      ".js",
      "LICENSE",
      "README.md",
      "lib",
      "package.json",
    ]);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("private");
    expect(manifest).toMatchObject({ name: "@content-feed/client", engines: { node: ">=20.5" } });
  });

  it("imports nothing, neither of a server nor of Node, so that it runs elsewhere too", () => {
    const folder = join(project.path, "node_modules/@content-feed/client/lib");
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/\bfrom "([^"]+)"/g)].map(([, specifier]) => specifier ?? ""),
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((specifier) => !/^\.\/[\w.-]+\.js$/.test(specifier))).toEqual([]);
  });

  it.skipIf(oldest === undefined)("runs on Node 20", async () => {
    server = await openAnswering(() => accepted);
    const { code, output } = await run("version").ended;
    expect([code, output]).toEqual([0, expect.stringMatching(/^v20\./)]);
    await server[Symbol.asyncDispose]();
  });
});

describe("A queue, when the process ends", () => {
  it("by itself, sends what it holds first", async () => {
    server = await openAnswering(() => accepted);
    expect(await run("ends").ended).toMatchObject({ code: 0, output: "" });
    expect(sent()).toEqual(["reader"]);
    await server[Symbol.asyncDispose]();
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "by %s, sends first and ends by that signal",
    async (name) => {
      server = await openAnswering(() => accepted);
      const running = run("busy");
      await running.printed("started");
      running.kill(name);
      expect(await running.ended).toMatchObject({ code: null, signal: name });
      expect(sent()).toEqual(["reader"]);
      await server[Symbol.asyncDispose]();
    },
  );

  it("by code that listens to the signal itself, leaves the end to it", async () => {
    server = await openAnswering(() => accepted);
    const running = run("watching");
    await running.printed("started");
    running.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 3, output: "started\nstopping true\n" });
    expect(sent()).toEqual(["reader", "last"]);
    await server[Symbol.asyncDispose]();
  });

  it("at once, by process.exit, tells what is lost", async () => {
    server = await openAnswering(() => accepted);
    expect(await run("exits").ended).toMatchObject({ code: 0, output: "lost 1 exit\n" });
    expect(sent()).toEqual([]);
    await server[Symbol.asyncDispose]();
  });
});
