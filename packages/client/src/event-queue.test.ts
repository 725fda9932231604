import { afterEach, describe, expect, it, vi } from "vitest";
import { ClientUsageError } from "./errors.ts";
import type { DroppedEvents, EventQueueOptions } from "./event-queue.ts";
import type { Event } from "./openapi.generated.ts";
import { hastyClient, openAnswering, problem, type Script } from "./testing/answering.fixture.ts";

const PATIENCE = { timeout: 120_000 };
const accepted = { status: 202, json: { data: { accepted: 1, rejected: [] } } };
const away = { status: 503, json: problem("unavailable", 503) };
const click = (userId: string): Event => ({ type: "click", user_id: userId });

async function open(script: Script = () => accepted, options: Partial<EventQueueOptions> = {}) {
  const server = await openAnswering(script);
  const dropped: DroppedEvents[] = [];
  const { client } = hastyClient({ baseUrl: server.baseUrl, retriesMax: 1 });
  const queue = client.eventQueue({ onDropped: (each) => dropped.push(each), ...options });
  const batches = () =>
    server.asked.map(({ body }) => (JSON.parse(body) as { events: Event[] }).events);
  return {
    queue,
    dropped,
    server,
    batches,
    sent: () => batches().map((events) => events.map(({ user_id }) => user_id)),
    [Symbol.asyncDispose]: async () => {
      await queue.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe("The event queue", () => {
  afterEach(() => vi.useRealTimers());

  it("sends what was pushed within a second, in order, in one request", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await using opened = await open();
    for (const id of ["a", "b", "c"]) opened.queue.push(click(id));
    vi.advanceTimersByTime(999);
    expect(opened.server.asked).toHaveLength(0);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(opened.sent()).toEqual([["a", "b", "c"]]), PATIENCE);
    expect(opened.server.asked[0]!.path).toBe("/v1/events?partial=true");
  });

  it("sends 100 at once, and no more than 100 in a request", async () => {
    await using opened = await open();
    for (let index = 0; index < 250; index += 1) opened.queue.push(click(`u-${index}`));
    await opened.queue.flush();
    expect(opened.sent().map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(opened.sent().flat()).toEqual(Array.from({ length: 250 }, (_, at) => `u-${at}`));
    expect(opened.queue.size).toBe(0);
  });

  it("stamps each event with an id and a time, unless it has them", async () => {
    await using opened = await open();
    const beforeMs = Date.now();
    opened.queue.push(click("a"));
    const afterMs = Date.now();
    opened.queue.push({ ...click("b"), event_id: "mine", occurred_at: "2026-11-20T00:00:00Z" });
    await opened.queue.flush();
    const [stamped, own] = opened.batches()[0]!;
    expect(stamped!.event_id).toMatch(/^[\w-]{36}$/);
    const stampedMs = Date.parse(stamped!.occurred_at!);
    expect([stampedMs >= beforeMs, stampedMs <= afterMs]).toEqual([true, true]);
    expect(own).toMatchObject({ event_id: "mine", occurred_at: "2026-11-20T00:00:00Z" });
  });

  it("keeps what can't be sent now, and sends the same request later", async () => {
    await using opened = await open((_, index) => (index < 2 ? away : accepted));
    opened.queue.push(click("a"));
    await expect(opened.queue.flush()).rejects.toThrow("unavailable");
    opened.queue.push(click("b"));
    expect(opened.queue.size).toBe(2);
    await opened.queue.flush();
    expect(opened.sent()).toEqual([["a"], ["a"], ["a"], ["b"]]);
    const keys = opened.server.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
    expect(opened.dropped).toEqual([]);
  });

  it("sends 100 at once again after that, and nothing while it is empty", async () => {
    await using opened = await open((_, index) => (index < 2 ? away : accepted));
    await opened.queue.flush();
    expect(opened.server.asked).toEqual([]);
    opened.queue.push(click("a"));
    await expect(opened.queue.flush()).rejects.toThrow("unavailable");
    await opened.queue.flush();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    for (let index = 0; index < 100; index += 1) opened.queue.push(click("b"));
    vi.advanceTimersByTime(0);
    vi.useRealTimers();
    await vi.waitFor(() => expect(opened.sent().at(-1)).toHaveLength(100), PATIENCE);
  });

  it("tries again by itself while the service is away", async () => {
    await using opened = await open((_, index) => (index < 2 ? away : accepted));
    opened.queue.push(click("a"));
    await vi.waitFor(() => expect(opened.queue.size).toBe(0), PATIENCE);
    expect(opened.sent()).toEqual([["a"], ["a"], ["a"]]);
  });

  it("holds no more than it may, and tells of each event that finds it full", async () => {
    await using opened = await open(() => accepted, { queuedEventsMax: 2 });
    expect(["a", "b", "c"].map((id) => opened.queue.push(click(id)))).toEqual([true, true, false]);
    expect(opened.dropped).toMatchObject([{ reason: "queue-full", events: [click("c")] }]);
    await opened.queue.flush();
    expect(opened.queue.push(click("d"))).toBe(true);
  });

  it("tells of events the service refuses, and records the others", async () => {
    const rejected = [
      { pointer: "/events/1/user_id", detail: "is wrong" },
      { pointer: "/events/1/type", detail: "is wrong too" },
    ];
    await using opened = await open(() => ({
      status: 202,
      json: { data: { accepted: 1, rejected } },
    }));
    opened.queue.push(click("a"));
    opened.queue.push(click("b"));
    await opened.queue.flush();
    expect(opened.dropped).toMatchObject([
      { reason: "rejected", events: [click("b")], faults: rejected },
    ]);
  });

  it("drops a batch that can never be sent, and goes on", async () => {
    await using opened = await open((_, index) =>
      index === 0 ? { status: 403, json: problem("forbidden", 403) } : accepted,
    );
    for (let index = 0; index < 101; index += 1) opened.queue.push(click(`u-${index}`));
    await opened.queue.flush();
    expect(opened.dropped).toMatchObject([{ reason: "failed", error: { status: 403 } }]);
    expect(opened.dropped[0]!.events).toHaveLength(100);
    expect(opened.sent()[1]).toEqual(["u-100"]);
  });

  it("sends what it holds when it is closed, and takes nothing more", async () => {
    await using opened = await open();
    opened.queue.push(click("a"));
    await opened.queue.close();
    expect(opened.sent()).toEqual([["a"]]);
    expect(opened.queue.push(click("b"))).toBe(false);
    expect(opened.dropped).toMatchObject([{ reason: "closed", events: [click("b")] }]);
  });

  it("loses no event that was pushed while it was sending", async () => {
    const pushes: (() => void)[] = [];
    await using opened = await open(() => {
      pushes.shift()?.();
      return accepted;
    });
    pushes.push(() => opened.queue.push(click("b")));
    opened.queue.push(click("a"));
    await opened.queue.flush();
    expect(opened.sent()).toEqual([["a"], ["b"]]);
  });

  it("gives up closing when nobody answers, and tells what is lost", async () => {
    await using opened = await open(() => away);
    opened.queue.push(click("a"));
    await opened.queue.close();
    expect(opened.dropped).toMatchObject([
      { reason: "failed", events: [click("a")], error: { status: 503 } },
    ]);
    expect(opened.queue.size).toBe(0);
  });

  it.each([
    [5_000, {}],
    [70, { closeTimeoutMs: 70 }],
  ])("waits %i ms for that, and no longer, with %j", async (limitMs, options) => {
    const asked = Promise.withResolvers<void>();
    await using opened = await open(() => () => asked.resolve(), options);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    opened.queue.push(click("a"));
    const closing = opened.queue.close();
    await asked.promise;
    vi.advanceTimersByTime(limitMs);
    await closing;
    const { error } = opened.dropped[0]!;
    expect(String(error)).toContain(`not sent within ${limitMs} ms of closing`);
  });

  it("keeps no process going that has nothing else to do", async () => {
    await using opened = await open();
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout");
    const before = timers().length;
    opened.queue.push(click("a"));
    expect(timers()).toHaveLength(before);
  });

  it.each([{ queuedEventsMax: 0 }, { closeTimeoutMs: 0 }])("refuses %j", (options) => {
    const { client } = hastyClient({ baseUrl: "http://127.0.0.1" });
    const open = () => client.eventQueue({ onDropped: () => undefined, ...options });
    expect(open).toThrow(ClientUsageError);
  });
});
