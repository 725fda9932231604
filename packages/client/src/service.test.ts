import { readFileSync } from "node:fs";
import { freePort, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type ClientOptions } from "./client.ts";
import {
  AmbiguousAreaError,
  ConflictError,
  UnauthorizedError,
  ValidationError,
} from "./problems.ts";
import { findOldestNode, openProject, type Project } from "./testing/published.fixture.ts";
import { refusesUnsigned } from "./testing/receiver.fixture.ts";
import { openService, type Service } from "./testing/service.fixture.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
/** Every TypeScript block of the README, by a name made of the heading above it. */
const examples = Object.fromEntries(
  readme
    .split(/^## /m)
    .flatMap((section) =>
      [...section.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => [
        (section.split("\n", 1)[0] ?? "").toLowerCase().replaceAll(" ", "-"),
        code,
      ]),
    ),
);

let service: Service;
let project: Project;
beforeAll(async () => {
  service = await openService();
  project = await openProject(findOldestNode() ?? process.execPath);
  await project.compile(examples);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

/** No attempt is given up: what was done twice would be counted twice here. */
const clientOf = (options: Partial<ClientOptions> = {}) =>
  createClient({ ...service, timeoutMs: 120_000, ...options });

/** The list of users and a dry run may lag behind changes. */
const counted = () => waitFor(() => service.isCounted());

const start = (name: string, env: Readonly<Record<string, string>> = {}) =>
  project.run(name, {
    CONTENT_FEED_URL: service.baseUrl,
    CONTENT_FEED_KEY: service.apiKey,
    ...env,
  });

/** Lines that an example prints; it has to end well. */
async function linesOf(name: string): Promise<readonly string[]> {
  const { code, output } = await start(name).ended;
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output.trimEnd().split("\n");
}

describe("The examples of the README, compiled and run as a tenant would", () => {
  it("are all there", () => {
    expect(Object.keys(examples)).toEqual([
      "a-feed",
      "what-readers-do",
      "walks",
      "users",
      "push-candidates",
      "webhooks",
      "errors",
    ]);
  });

  it("A feed: three articles, and the body of the first", async () => {
    const lines = await linesOf("a-feed");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^Article \d+ about subject \d https:.*utm_medium=feed source-\d$/);
    expect(lines[3]).toBe("next page: true");
    expect(lines[4]).toMatch(/^markdown \d+$/);
  });

  it("What readers do: recorded, and what was clicked does not come again", async () => {
    const before = await service.userFacts();
    expect(await linesOf("what-readers-do")).toEqual(["shown again: false"]);
    expect((await service.userFacts()) - before).toBe(21);
  });

  it("Walks: items up to where the reader stops, and pages to the end", async () => {
    const lines = await linesOf("walks");
    expect(lines[0]).toMatch(/^shown: \d+$/);
    expect(lines.at(-1)).toMatch(/^page of \d+ and the last$/);
  });

  it("Users: made, changed, blocked for, deleted, listed", async () => {
    await clientOf().users.put("reader-2", {});
    await counted();
    const lines = (await linesOf("users")).join("\n");
    expect(lines).toContain("interests: [ 'サッカー' ]");
    expect(lines).toContain("[ 'source-1' ]");
    expect(lines).toContain("gone: Not Found");
    expect(lines).toContain("user reader-2");
    expect(lines).toContain("渋谷");
    expect(lines).toMatch(/^\d[\d.]* credits used this month$/m);
  });

  it("Push candidates: a job from its start to its rows", async () => {
    await clientOf().users.put("reader-2", {});
    await counted();
    const lines = await linesOf("push-candidates");
    expect(lines[0]).toBe("audience: 1");
    expect(lines).toContain("completed 100");
    expect(lines).toContainEqual(expect.stringMatching(/^reader-2 Article \d+/));
    expect(lines.at(-1)).toBe("credits: 0.5");
    // The idempotency key makes a repetition the same job.
    expect((await linesOf("push-candidates")).slice(-2)).toEqual(lines.slice(-2));
  });

  it("Webhooks: a receiver takes what the service sends, and nothing else", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const secret = await service.saveWebhook(url);
    const receiver = start("webhooks", { CONTENT_FEED_WEBHOOK_SECRET: secret, PORT: `${port}` });
    await refusesUnsigned(url);
    await service.testWebhook();
    expect(await receiver.printed("webhook.test")).toMatch(/^msg_\w+ webhook\.test$/m);
    receiver.kill("SIGTERM");
    await receiver.ended;
  });

  it("Errors: what was wrong, and what was answered", async () => {
    const lines = (await linesOf("errors")).join("\n");
    expect(lines).toMatch(/^getFeed 400 [\w-]{36} 0 \d+$/m);
    expect(lines).toContain("pointer: 'query:limit'");
  });
});

describe("Against the service, the client", () => {
  it("sends text of any script, and ids with every sign that is allowed", async () => {
    const client = clientOf();
    const { meta } = await client.feed({ area_names: ["渋谷駅", "どこにもない"], limit: 1 });
    expect(meta.resolved_areas.matched[0]).toMatchObject({ input: "渋谷駅", level: "station" });
    expect(meta.resolved_areas.skipped).toEqual([
      { input: "どこにもない", reason: "unregistered" },
    ]);
    const odd = "google|Az09._:@+=-";
    await client.users.put(odd, { language: "ja" });
    await client.users.follow(odd, "source-2");
    expect(await client.users.get(odd)).toMatchObject({
      user_id: odd,
      followed_sources: ["source-2"],
    });
    await client.users.unfollow(odd, "source-2");
    await client.users.unblock(odd, "source-2");
    await client.users.delete(odd);
  });

  it("tells apart what is wrong", async () => {
    const client = clientOf();
    const stranger = clientOf({ apiKey: "cf_live_nobody" });
    await expect(stranger.feed()).rejects.toThrow(UnauthorizedError);
    await expect(client.feed({ limit: 0 })).rejects.toThrow(ValidationError);
    const ambiguous = await client
      .feed({ area_names: ["東京"] })
      .catch((error: unknown) => error as AmbiguousAreaError);
    expect(ambiguous).toBeInstanceOf(AmbiguousAreaError);
    const [first] = (ambiguous as AmbiguousAreaError).candidates;
    expect(first!.areas.length).toBeGreaterThan(1);
  });

  it("records a batch once, however often it is sent", async () => {
    const replayed: boolean[] = [];
    const client = clientOf({ onAnswer: ({ isReplayed }) => replayed.push(isReplayed) });
    const before = await service.userFacts();
    for (const _ of [1, 2])
      await client.sendEvents([{ type: "click", content_id: "c" }], { idempotencyKey: "batch-1" });
    expect(replayed).toEqual([false, true]);
    expect((await service.userFacts()) - before).toBe(1);
  });

  it("loses no good event to a bad one in its batch", async () => {
    const dropped: unknown[] = [];
    await using queue = clientOf().eventQueue({ onDropped: (each) => dropped.push(each) });
    const before = await service.userFacts();
    queue.push({ type: "click", content_id: "c-1" });
    queue.push({ type: "click", user_id: "two words" });
    queue.push({ type: "click", content_id: "c-2" });
    await queue.flush();
    expect((await service.userFacts()) - before).toBe(2);
    expect(dropped).toMatchObject([
      { reason: "rejected", faults: [{ pointer: "/events/1/user_id" }] },
    ]);
  });

  it("lists and ends push jobs", async () => {
    const { push } = clientOf();
    const userIds = ["a", "b"];
    const { job_id } = await push.start({
      scenario: "daily",
      target_mode: "manual",
      user_ids: userIds,
    });
    const job = await push.waitForCompletion(job_id);
    expect(job.target_user_count).toBe(userIds.length);
    const ids: string[] = [];
    for await (const { job_id } of push.all()) ids.push(job_id);
    expect(ids).toContain(job_id);
    await expect(push.cancel(job_id)).rejects.toThrow(ConflictError);
  });
});
