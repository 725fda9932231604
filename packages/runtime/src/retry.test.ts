import { describe, expect, it } from "vitest";
import { retry, retryDelayMs, unlessLate, waitUntil } from "./retry.ts";

const limits = { attemptsMax: 4, firstDelayMs: 1, delayMsMax: 3 };

class Transient extends Error {}

function failing(times: number): { call: () => Promise<string>; calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    call: async () => {
      calls += 1;
      if (calls <= times) throw new Transient(`call ${calls}`);
      return "done";
    },
  };
}

const options = (signal: AbortSignal) => ({
  ...limits,
  signal,
  isTransient: (error: unknown) => error instanceof Transient,
});
const never = new AbortController().signal;

describe("retry", () => {
  it("gives the first success", async () => {
    const { call, calls } = failing(3);
    expect(await retry(call, options(never))).toBe("done");
    expect(calls()).toBe(4);
  });

  it("throws the last error when the attempts are used up", async () => {
    const { call, calls } = failing(9);
    await expect(retry(call, options(never))).rejects.toThrow("call 4");
    expect(calls()).toBe(4);
  });

  it("throws an error that is not transient at once", async () => {
    let calls = 0;
    const call = async () => {
      calls += 1;
      throw new TypeError("a bug");
    };
    await expect(retry(call, options(never))).rejects.toThrow("a bug");
    expect(calls).toBe(1);
  });

  it("ends with the signal's reason when it is aborted during a wait", async () => {
    const controller = new AbortController();
    const reason = new Error("shutting down");
    const { call, calls } = failing(9);
    const running = retry(
      () => {
        queueMicrotask(() => controller.abort(reason));
        return call();
      },
      { ...options(controller.signal), firstDelayMs: 60_000, delayMsMax: 60_000 },
    );
    await expect(running).rejects.toBe(reason);
    expect(calls()).toBe(1);
  });

  it("waits between nothing and a bound that doubles up to its limit", () => {
    const bounds = [1, 2, 3].map((attempt) => retryDelayMs(attempt, limits, 1));
    expect(bounds).toEqual([1, 2, 3]);
    expect(retryDelayMs(3, limits, 0)).toBe(0);
  });
});

describe("waitUntil", () => {
  it("is true as soon as the condition holds", async () => {
    let asked = 0;
    const condition = async () => (asked += 1) === 3;
    expect(await waitUntil(condition, { timeoutMs: 60_000, pollMs: 1, signal: never })).toBe(true);
    expect(asked).toBe(3);
  });

  it("is false when the time is up, having asked at least once", async () => {
    let asked = 0;
    const condition = () => (asked += 1) === 0;
    expect(await waitUntil(condition, { timeoutMs: 0, pollMs: 1, signal: never })).toBe(false);
    expect(asked).toBe(1);
  });

  it("ends when its signal is aborted", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(waitUntil(() => false, { timeoutMs: 1, pollMs: 1, signal })).rejects.toThrow(
      "gone",
    );
  });
});

describe("unlessLate", () => {
  const late = () => new Error("too late");

  it("gives what the work gives, result or error, when that comes in time", async () => {
    expect(await unlessLate(Promise.resolve("done"), 60_000, late)).toBe("done");
    await expect(unlessLate(Promise.reject(new Error("no")), 60_000, late)).rejects.toThrow("no");
  });

  it("throws what it is given when it does not, and nobody hears how the work ends", async () => {
    const work = Promise.withResolvers<never>();
    await expect(unlessLate(work.promise, 0, late)).rejects.toThrow("too late");
    work.reject(new Error("unheard"));
  });
});
