import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { createClient } from "../packages/client/src/index.ts";
import { refusesUnsigned } from "../packages/client/src/testing/receiver.fixture.ts";
import { openService, type Service } from "../packages/client/src/testing/service.fixture.ts";
import { freePort, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkshop, snippetsOf, type Workshop } from "./snippets.ts";

/** Goal: the programs of the documentation work as printed. Method: each is cut out and run against one service. */
const RECIPES = ["clicks", "infinite-scroll", "licensed-bodies", "proxy", "push", "win-back"];
const PAGES = ["quick-start.md", ...RECIPES.map((name) => `recipes/${name}.md`)];
const DAY_MS = 86_400_000;
const POLL = { timeout: 120_000 };
const hasRequests = spawnSync("python3", ["-c", "import requests"]).status === 0;
const LANGUAGES = hasRequests ? (["ts", "python"] as const) : (["ts"] as const);

let service: Service;
let workshop: Workshop;
const clientOf = () => createClient(service);

beforeAll(async () => {
  service = await openService();
  workshop = await openWorkshop(service, PAGES);
});
afterAll(async () => {
  await workshop?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

interface AppFeed {
  readonly items: readonly { readonly id: string; readonly tracking_token: string }[];
  readonly next: string | null;
}

async function feedOf(port: number, query = "", session = "reader-1"): Promise<AppFeed> {
  const headers = { cookie: `session=${session}` };
  let answer = Response.error();
  // The backend gives the service 8 seconds; an app asks again then.
  const isServed = async () =>
    (answer = await ask(`http://127.0.0.1:${port}/feed${query}`, { headers })).status !== 502;
  await waitFor(isServed);
  expect(answer.status).toBe(200);
  return (await answer.json()) as AppFeed;
}

/** A connection that is kept ends after seconds without a request, perhaps just as it is used again. */
function ask(url: string, { headers, ...init }: RequestInit): Promise<Response> {
  return fetch(url, { ...init, headers: { ...(headers as object), connection: "close" } });
}

describe("The quick start", () => {
  it("gives a feed, takes a click, gives the next feed, and takes a profile", async () => {
    const [, first = "", clicked = "", profile = ""] = await workshop.shell("quick-start.md");
    const { data } = JSON.parse(first) as { data: { id: string }[] };
    expect(data).toHaveLength(3);
    const [accepted = "", next = ""] = clicked.split(/(?<=\})(?=\{"data":\[)/);
    expect(accepted).toBe('{"data":{"accepted":1}}');
    expect(next).toContain('"tracking_token"');
    expect(JSON.parse(profile)).toMatchObject({ data: { properties: { language: "ja" } } });
  });

  it.each(LANGUAGES)("prints three articles in %s", async (language) => {
    expect(await workshop.run("quick-start.md", language)).toMatch(
      /^(Article \d+ about subject \d \(source-\d\)\n){3}$/,
    );
  });
});

describe("README.md", () => {
  it("has calls that work as they stand, after which what was clicked is not shown again", async () => {
    const blocks = await snippetsOf("../README.md", "sh");
    const calls = blocks.find((code) => code.startsWith("base=")) ?? "";
    const output = await workshop.sh(calls.replaceAll("reader-1", "reader-7"));
    const [before = "", after = ""] = output.split('{"data":{"accepted":1}}');
    const [first] = (JSON.parse(before) as { data: { id: string }[] }).data;
    expect((JSON.parse(after) as { data: object[] }).data).toHaveLength(3);
    const shown = async () => (await clientOf().feed({ user_id: "reader-7" })).data;
    await expect
      .poll(async () => (await shown()).some(({ id }) => id === first?.id), POLL)
      .toBe(false);
  });
});

describe("Recipes", () => {
  it("are all tried here", () => {
    const files = readdirSync(resolve(import.meta.dirname, "../docs/recipes")).sort();
    expect(files).toEqual(["README.md", ...RECIPES.map((name) => `${name}.md`)]);
  });

  it("begin with variables that a shell can set", async () => {
    expect(await workshop.shell("recipes/README.md")).toEqual([""]);
  });

  it.each(LANGUAGES)("a feed through your backend, in %s", async (language) => {
    await using backend = await workshop.listen("recipes/proxy.md", language);
    const { items, next } = await feedOf(backend.port);
    expect(items).toHaveLength(10);
    expect(Object.keys(items[0] ?? {}).sort()).toEqual(
      ["id", "picture", "source", "summary", "title", "tracking_token", "url"].sort(),
    );
    const second = await feedOf(backend.port, `?cursor=${encodeURIComponent(next ?? "")}`);
    const ids = [...items, ...second.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(20);
    const stale = `http://127.0.0.1:${backend.port}/feed?cursor=nothing`;
    await expect.poll(async () => (await ask(stale, {})).status, POLL).toBe(410);
    const answers = await workshop.shell("recipes/proxy.md", { PORT: `${backend.port}` });
    expect(answers[0]?.match(/"tracking_token"/g)).toHaveLength(20);
  });

  it("infinite scroll: three pages by cursor, and no article twice", async () => {
    const [titles = ""] = await workshop.shell("recipes/infinite-scroll.md");
    const lines = titles.trimEnd().split("\n");
    expect(lines).toHaveLength(30);
    expect(new Set(lines).size).toBe(30);
  });

  it("reporting clicks: what was clicked leaves the feed", async () => {
    await using backend = await workshop.listen("recipes/clicks.md", "ts");
    const url = `http://127.0.0.1:${backend.port}/clicks`;
    const shown = async () => (await clientOf().feed({ user_id: "reader-5" })).data;
    const [clicked] = await shown();
    const headers = { cookie: "session=reader-5" };
    const body = clicked?.tracking_token ?? "";
    expect((await ask(url, { method: "POST", body })).status).toBe(400);
    expect((await ask(url, { method: "POST", headers, body })).status).toBe(202);
    await expect
      .poll(async () => (await shown()).some(({ id }) => id === clicked?.id), POLL)
      .toBe(false);
    const [accepted] = await workshop.shell("recipes/clicks.md");
    expect(accepted).toBe('{"data":{"accepted":1}}');
  });

  it("licensed bodies: the whole article, its source and the original", async () => {
    const page = await workshop.run("recipes/licensed-bodies.md", "ts");
    expect(page).toMatch(/<h1>Article \d+ about subject \d<\/h1>\n<p>The start of the body/);
    expect(page).toMatch(
      /<a href="https:\/\/publisher\.example\/article-\d+">original article<\/a>/,
    );
    expect(page).not.toContain("Read on at");
    const [output = ""] = await workshop.shell("recipes/licensed-bodies.md");
    expect(output).toContain('"licence":"body"');
    expect(output).toContain('"body_format":"markdown"');
  });

  it("win-back: those who were not there for a month get articles", async () => {
    const client = clientOf();
    const registered_at = new Date(Date.now() - 90 * DAY_MS).toISOString();
    const wereThere = { "dormant-1": 60, "active-1": 1 };
    for (const [user_id, days] of Object.entries(wereThere)) {
      await client.users.put(user_id, { registered_at });
      const occurred_at = new Date(Date.now() - days * DAY_MS).toISOString();
      await client.sendEvents([
        { type: "session_start", user_id, session_id: user_id, occurred_at },
      ]);
    }
    // The list of users and a dry run may lag behind changes.
    await waitFor(() => service.isCounted());
    const lines = (await workshop.run("recipes/win-back.md", "ts")).trimEnd().split("\n");
    expect(lines).toContain("dormant: 1");
    expect(lines).toContainEqual(expect.stringMatching(/^audience: 2 of \d+$/));
    expect(lines.filter((line) => line.startsWith("to "))).toEqual([
      expect.stringMatching(/^to dormant-1 Article \d+/),
    ]);
    const [users] = await workshop.shell("recipes/win-back.md");
    expect(users).toContain('"user_id":"dormant-1"');
  });

  it.skipIf(!hasRequests)("win-back: finds the same readers in python", async () => {
    expect(await workshop.run("recipes/win-back.md", "python")).toBe("dormant: dormant-1\n");
  });

  it("push with a receiver: told that the job is done, it goes through the rows", async () => {
    const [dryRun = ""] = await workshop.shell("recipes/push.md");
    expect(JSON.parse(dryRun)).toHaveProperty("target_user_count");
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const secret = await service.saveWebhook(url);
    const environment = { PORT: `${port}`, CONTENT_FEED_WEBHOOK_SECRET: secret };
    await using backend = await workshop.listen("recipes/push.md", "ts", environment);
    await refusesUnsigned(url);
    await expect.poll(backend.printed, POLL).toMatch(/^to active-1: Article \d+ .*https:\S+$/m);
    await expect.poll(backend.printed, POLL).toMatch(/^job_\w+ sent$/m);
    expect(backend.printed()).not.toContain("dormant-1");
  });
});

describe("docs/operating/admin-api.md", () => {
  it("sets up a tenant, from its name to its webhook", async () => {
    const blocks = await snippetsOf("operating/admin-api.md", "sh");
    // Adding a source asks the publisher, and this one is not there; tests of sources have publishers of their own.
    const [asking, ...more] = blocks.filter((code) => code.includes("news.example.com"));
    expect([asking?.split("\n", 1)[0], more]).toEqual([expect.stringContaining("/sources"), []]);
    const known = `
source_id=source-1 content_id=article-3
echo '{"user_id":"reader-1","properties":{"language":"ja"}}' > users.jsonl`;
    const withKey = (code: string) => (code.includes("$key_id") ? `${KEY_OF_ACME}\n${code}` : code);
    const code = blocks.filter((block) => block !== asking).map(withKey);
    const base = /^base=http:\/\/127\.0\.0\.1:8080$/m;
    const script = [known, ...code].join("\n").replace(base, `base=${service.baseUrl}`);
    const output = await workshop.sh(script);
    expect(output).toContain('"unit_price":0.5');
    expect(output).toContain('"secret":"whsec_');
    expect(output).toContain(`"lines":1,"accepted":1`);
  });
});

const KEY_OF_ACME = `key_id=$(curl -s "$base/admin/v1/tenants/acme/keys" -H "Authorization: Bearer $admin" |
  node -p 'JSON.parse(fs.readFileSync(0)).data[0].key_id')`;
