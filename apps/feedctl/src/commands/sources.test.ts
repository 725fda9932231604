import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { temporaryDirectory } from "@feed/test-kit";
import { runFeedctl } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "./run-here.fixture.ts";
import { sourcesCommand } from "./sources.ts";

/**
 * Goal: the commands as an operator types them. Method: a data directory, a site on loopback; processes where
 * what they end with is the rule, else the same commands in this one.
 */
const SENTENCE = "The harbour was rebuilt in nine months, and the first ferry left on Monday. ";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let server: Server;
let origin: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  server = createServer((request, response) => {
    const page = `<html lang="en"><article><p>${SENTENCE.repeat(10)}</p></article></html>`;
    const feed = {
      version: "https://jsonfeed.org/version/1.1",
      title: "Harbour Daily",
      items: [
        { id: "1", url: `${origin}/1`, title: "Ferry", date_published: "2026-11-20T09:00:00Z" },
      ],
    };
    const bodies: Readonly<Record<string, string>> = { "/1": page, "/feed": JSON.stringify(feed) };
    const body = bodies[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(body);
  });
  // Commands end their connections; the site ends none just as it is asked again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await directory[Symbol.asyncDispose]();
});

const commandLine = (args: readonly string[]) => ["sources", ...args, "--data", directory.path];

function sourcesProcess(...args: readonly string[]) {
  return runFeedctl(commandLine(args), { environment: { OWN_ORIGINS: origin } });
}

function sources(...args: readonly string[]) {
  return runHere(sourcesCommand(directory.path), commandLine(args), { OWN_ORIGINS: origin });
}

describe("feedctl sources", () => {
  it("shows what a source would give, and saves nothing unasked", async () => {
    const { stdout, code } = await sourcesProcess("add", `${origin}/feed`, "--id", "daily");
    expect(code).toBe(1);
    expect(stdout).toContain("Harbour Daily (json, en)");
    expect(stdout).toContain("2026-11-20T09:00  Ferry");
    expect(stdout).toContain("No picture was found in the first article.");
    expect(stdout).toContain("not saved; --yes saves it");
    expect((await sources("list", "--json")).stdout.trim()).toBe("[]");
  });

  it("saves a source with what the operator decides, lists it, and refuses it twice", async () => {
    const options = [
      "--id",
      "daily",
      "--interval",
      "5m-2h",
      "--drop",
      ".ad",
      "--notes",
      "contract 12",
    ];
    const added = await sources(
      "add",
      `${origin}/feed`,
      ...options,
      "--title-rewrite",
      "--yes",
      "--json",
    );
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(added.stdout)).toMatchObject({
      saved: true,
      source: {
        sourceId: "daily",
        name: "Harbour Daily",
        feedUrl: `${origin}/feed`,
        titleRewriteAllowed: true,
        crawlIntervalMs: 300_000,
        crawlIntervalMsMax: 7_200_000,
        extraction: { keep: [], drop: [".ad"] },
        licenceNotes: "contract 12",
      },
    });
    expect((await sources("list")).stdout).toMatch(
      /^daily +new +first crawl not ended +5 min +- +Harbour Daily$/m,
    );
    const again = await sources("add", `${origin}/feed`, "--id", "daily", "--yes");
    expect(again.code).toBe(1);
    expect(again.stderr).toBe("feedctl: there is a source daily already; --id names another\n");
  });

  it("pauses, resumes, recrawls and removes it", async () => {
    expect((await sources("pause", "daily")).stdout).toBe("daily: paused\n");
    expect((await sources("check", "daily")).stdout).toContain("status        paused");
    await sources("resume", "daily");
    const recrawl = await sources("recrawl", "daily", "--json");
    expect(JSON.parse(recrawl.stdout).source.recrawlFromMs).toBeGreaterThan(0);
    expect((await sources("check", "daily")).stdout).toContain("contract 12");
    await sources("remove", "daily");
    expect((await sources("list", "--json")).stdout.trim()).toBe("[]");
    const { stderr, code } = await sourcesProcess("check", "daily");
    expect([stderr, code]).toEqual(["feedctl: there is no source daily\n", 1]);
  });

  it("says in a line what is wrong with what it was given", async () => {
    const refused = async (...args: readonly string[]) => (await sources("add", ...args)).stderr;
    expect(await refused(`${origin}/none`, "--yes")).toBe(
      `feedctl: no feed found at ${origin}/none: ${origin}/none: There is nothing at the address (404).\n`,
    );
    expect(await refused(`${origin}/feed`, "--keep", "p[", "--yes")).toBe(
      "feedctl: p[ is no CSS selector\n",
    );
    const options = await sourcesProcess("add", `${origin}/feed`, "--interval", "often");
    expect(options.stderr).toContain("not a span such as 5m");
  });
});
