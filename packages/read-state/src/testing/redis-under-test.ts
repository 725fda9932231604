import { randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { manualClock } from "@feed/test-kit";
import { NOW_MS, type ReadStateUnderTest } from "../conformance/harness.ts";
import { openRedisReadState } from "../redis.ts";
import type { ReadState } from "../port.ts";

const KEYS_PER_SCAN = 1_000;
/** What a test asks is answered however busy the machine is. */
export const UNHURRIED = { answerTimeoutMs: 60_000 };

/** A read state under keys of its own, in a server that tests share; they go when it is disposed. */
export async function openUnderFreshKeys(url: string): Promise<ReadStateUnderTest> {
  const clock = manualClock(NOW_MS);
  const keyPrefix = `test-${randomUUID()}:`;
  const opened: ReadState[] = [];
  const openAnother = async (): Promise<ReadState> => {
    const state = await openRedisReadState({ url, clock, keyPrefix, ...UNHURRIED });
    opened.push(state);
    return state;
  };
  return {
    state: await openAnother(),
    openAnother,
    [Symbol.asyncDispose]: async () => {
      for (const state of opened) await state[Symbol.asyncDispose]();
      await removeKeys(url, keyPrefix);
    },
  };
}

/** The cluster of the tests is one node, which a plain client may ask for all keys. */
async function removeKeys(url: string, prefix: string): Promise<void> {
  const client = createClient({
    url: url.replace("-cluster:", ":"),
    socket: { connectTimeout: UNHURRIED.answerTimeoutMs },
  });
  await client.connect();
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: KEYS_PER_SCAN })) {
    for (const key of keys) await client.unlink(key);
  }
  client.destroy();
}
