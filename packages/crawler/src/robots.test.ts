import { manualClock } from "@feed/test-kit";
import { beforeEach, describe, expect, it } from "vitest";
import { FetchError } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";
import { ROBOTS_RETRY_MS, ROBOTS_TTL_MS } from "./limits.ts";
import { Robots } from "./robots.ts";

const { signal } = new AbortController();
const clock = manualClock(0);
let answer: { status: number; body?: string } | FetchError;
let asked: string[];
let robots: Robots;

beforeEach(() => {
  asked = [];
  robots = new Robots({
    userAgent: "ContentFeedBot/1.0 (+https://feed.example/bot)",
    clock,
    fetch: (url): Promise<Fetched> => {
      asked.push(url);
      if (answer instanceof FetchError) return Promise.reject(answer);
      const { status, body = "" } = answer;
      return Promise.resolve({ url, status, headers: {}, bytes: Buffer.from(body) });
    },
  });
});

const admit = (path: string): Promise<number | undefined> =>
  robots.admit(new URL(path, "https://publisher.example"), signal);
const forbidden = expect.objectContaining({ code: "robots-disallowed" });

describe("robots.txt", () => {
  it("forbids what its group for us names, and only that", async () => {
    answer = {
      status: 200,
      body: `User-agent: *
Disallow: /

User-agent: contentfeedbot
Disallow: /members/
Disallow: /*.pdf$
Allow: /members/about
Crawl-delay: 2`,
    };
    await expect(admit("/members/1")).rejects.toEqual(forbidden);
    await expect(admit("/a/b.pdf")).rejects.toEqual(forbidden);
    expect(await admit("/members/about")).toBe(2_000);
    expect(await admit("/news/1?x=.pdf&y")).toBe(2_000);
  });

  it("is bound by the group for all where none names us", async () => {
    answer = { status: 200, body: "User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /x" };
    expect(await admit("/1")).toBeUndefined();
    await expect(admit("/x/1")).rejects.toEqual(forbidden);
  });

  it("never makes a crawl wait more than 30 seconds between requests", async () => {
    answer = { status: 200, body: "User-agent: *\nCrawl-delay: 86400" };
    expect(await admit("/1")).toBe(30_000);
  });

  it.each([400, 401, 403, 404, 410])("allows everything when it answers %d", async (status) => {
    answer = { status };
    expect(await admit("/1")).toBeUndefined();
  });

  it.each([429, 500, 503])(
    "forbids everything for ten minutes when it answers %d",
    async (status) => {
      clock.set(5_000);
      answer = { status };
      const retryAtMs = 5_000 + ROBOTS_RETRY_MS;
      await expect(admit("/1")).rejects.toMatchObject({ code: "robots-disallowed", retryAtMs });
      clock.advance(ROBOTS_RETRY_MS);
      answer = { status: 404 };
      expect(await admit("/1")).toBeUndefined();
    },
  );

  it("forbids everything when its host can't be reached", async () => {
    answer = new FetchError("unreachable", "away");
    await expect(admit("/1")).rejects.toEqual(forbidden);
  });

  it("allows everything when its redirects have no end", async () => {
    answer = new FetchError("too-many-redirects", "in circles");
    expect(await admit("/1")).toBeUndefined();
  });

  it("is asked once for an origin, by however many at once, and again after 24 hours", async () => {
    answer = { status: 404 };
    await Promise.all([admit("/1"), admit("/2"), admit("/3")]);
    clock.advance(ROBOTS_TTL_MS - 1);
    await admit("/4");
    expect(asked).toEqual(["https://publisher.example/robots.txt"]);
    clock.advance(1);
    await admit("/5");
    expect(asked).toHaveLength(2);
  });

  it("stays in force when it has expired and its host is away", async () => {
    answer = { status: 200, body: "User-agent: *\nDisallow: /x" };
    await admit("/1");
    clock.advance(ROBOTS_TTL_MS);
    answer = { status: 500 };
    expect(await admit("/1")).toBeUndefined();
    await expect(admit("/x")).rejects.toEqual(forbidden);
  });
});
