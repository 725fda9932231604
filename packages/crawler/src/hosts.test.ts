import { manualClock } from "@feed/test-kit";
import { beforeEach, describe, expect, it } from "vitest";
import { FetchError } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";
import { Hosts } from "./hosts.ts";
import { BACK_OFF_FIRST_MS, BACK_OFF_MS_MAX, HOST_DELAY_MS } from "./limits.ts";
import { retryAfterMs } from "./retry-after.ts";

const { signal } = new AbortController();
const clock = manualClock(1_000_000);
const A = new URL("https://a.example/1");
const B = new URL("https://b.example/1");
const OWN = new URL("http://127.0.0.1:8790/1");
let hosts: Hosts;

beforeEach(() => {
  hosts = new Hosts({
    clock,
    sleep: (delayMs) => Promise.resolve(clock.advance(delayMs)),
    politeness: new Map([[OWN.origin, { requestsAtOnce: 4, delayMs: 0 }]]),
  });
});

const answer = (status: number, headers: Record<string, string> = {}): Fetched => ({
  url: A.href,
  status,
  headers,
  bytes: new Uint8Array(),
});
const send = (url: URL, status = 200, headers: Record<string, string> = {}) =>
  hosts.send(url, undefined, () => Promise.resolve(answer(status, headers)), signal);
const fail = (url: URL) =>
  hosts.send(url, undefined, () => Promise.reject(new FetchError("unreachable", "away")), signal);

/** Starts requests that end only when released; says how many ran at once. */
async function mostAtOnce(url: URL, count: number): Promise<number> {
  let running = 0;
  let most = 0;
  const releases: (() => void)[] = [];
  const pending = Array.from({ length: count }, () =>
    hosts.send(
      url,
      undefined,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise<void>((resolve) => releases.push(resolve));
        running -= 1;
        return answer(200);
      },
      signal,
    ),
  );
  for (let released = 0; released < count; released += 1) {
    await expect.poll(() => releases.length).toBeGreaterThan(0);
    releases.shift()?.();
  }
  await Promise.all(pending);
  return most;
}

describe("a host", () => {
  it("gets one request at a time", async () => {
    expect(await mostAtOnce(A, 3)).toBe(1);
  });

  it("of our own gets as many as its setting says", async () => {
    expect(await mostAtOnce(OWN, 9)).toBe(4);
  });

  it("is left a second between requests, or as long as its robots.txt asks", async () => {
    await send(A);
    const startMs = clock.nowMs();
    await send(A);
    expect(clock.nowMs() - startMs).toBe(HOST_DELAY_MS);
    await hosts.send(A, 7_000, () => Promise.resolve(answer(200)), signal);
    const afterMs = clock.nowMs();
    await send(A);
    expect(clock.nowMs() - afterMs).toBe(7_000);
  });

  it("does not wait for another", async () => {
    await send(A);
    const startMs = clock.nowMs();
    await send(B);
    expect(clock.nowMs()).toBe(startMs);
  });

  it.each([429, 503])("that answers %d is left alone as long as it asks", async (status) => {
    await send(A, status, { "retry-after": "120" });
    const retryAtMs = clock.nowMs() + 120_000;
    await expect(send(A)).rejects.toMatchObject({ code: "backing-off", retryAtMs });
    await send(B);
    clock.set(retryAtMs);
    expect((await send(A)).status).toBe(200);
  });

  it("that answers 429 without a time is left alone for half a minute", async () => {
    await send(A, 429);
    const retryAtMs = clock.nowMs() + BACK_OFF_FIRST_MS;
    await expect(send(A)).rejects.toMatchObject({ code: "backing-off", retryAtMs });
  });

  it("may fail twice, then is left alone, each time twice as long, up to a day", async () => {
    for (let failure = 0; failure < 2; failure += 1) await expect(fail(A)).rejects.toThrow("away");
    for (let failure = 0; failure < 20; failure += 1) {
      await expect(fail(A)).rejects.toThrow("away");
      const waitMs = Math.min(BACK_OFF_MS_MAX, BACK_OFF_FIRST_MS * 2 ** failure);
      clock.advance(waitMs - 1);
      await expect(send(A)).rejects.toMatchObject({ code: "backing-off" });
      clock.advance(1);
    }
  });

  it("that answers again begins anew", async () => {
    await send(A, 500);
    await send(A, 500);
    await send(A, 404);
    await send(A, 500);
    await send(A, 500);
    expect((await send(A)).status).toBe(200);
  });

  it("that is to be left alone refuses those who wait already", async () => {
    const first = hosts.send(A, undefined, () => Promise.resolve(answer(503)), signal);
    const second = send(A);
    await first;
    await expect(second).rejects.toMatchObject({ code: "backing-off" });
    expect(hosts.busyness(A.origin)).toBe(0);
  });
});

describe("Retry-After", () => {
  const nowMs = Date.UTC(2026, 10, 21, 9);
  it.each([
    ["120", 120_000],
    ["Sat, 21 Nov 2026 09:01:00 GMT", 60_000],
    ["Sat, 21 Nov 2026 08:00:00 GMT", 0],
    ["soon", undefined],
    [undefined, undefined],
  ])("%s", (field, expected) => {
    expect(retryAfterMs(field, nowMs)).toBe(expected);
  });
});
