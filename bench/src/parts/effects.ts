import { setTimeout as delay } from "node:timers/promises";
import { HttpConnection } from "../load/connection.ts";
import type { RequestWriter } from "../load/requests.ts";
import { FEED_ITEMS } from "../load/requests.ts";

const POLL_MS = 5;
const PAUSE_MS = 100;
const PROBE_TIMEOUT_MS = 10_000;

interface ProbeOptions {
  readonly port: number;
  readonly writer: RequestWriter;
  readonly signal: AbortSignal;
}

/**
 * One user's click after another until the signal: the time from sending the click until a feed of that user
 * comes without the article. The feeds in between are real ones, so the figure holds for a reader.
 */
export async function probeEffects(options: ProbeOptions): Promise<readonly number[]> {
  using connection = await HttpConnection.open(options.port);
  const effectsMs: number[] = [];
  for (let probe = 0; !options.signal.aborted; probe += 1) {
    effectsMs.push(await clickUntilGone(connection, options.writer, `prober-${probe}`));
    await delay(PAUSE_MS);
  }
  return effectsMs;
}

async function clickUntilGone(
  connection: HttpConnection,
  writer: RequestWriter,
  userId: string,
): Promise<number> {
  const feed = async (): Promise<readonly Item[]> => {
    const answer = await connection.ask(writer.feed(userId));
    if (answer.status !== 200) throw new Error(`a feed failed: ${answer.head}`);
    return (JSON.parse(answer.body.toString()) as { readonly data: readonly Item[] }).data;
  };
  const [clicked] = await feed();
  if (clicked === undefined) throw new Error("an empty feed");
  const { id, tracking_token } = clicked;
  const event = { type: "click", user_id: userId, session_id: userId, tracking_token };
  const sentMs = performance.now();
  await connection.ask(writer.events([{ ...event, occurred_at: new Date().toISOString() }]));
  for (;;) {
    const items = await feed();
    const tookMs = performance.now() - sentMs;
    if (items.length === FEED_ITEMS && !items.some((item) => item.id === id)) return tookMs;
    // It counts as it is: the figure is missed, and the others are measured all the same.
    if (tookMs > PROBE_TIMEOUT_MS) return tookMs;
    await delay(POLL_MS);
  }
}

interface Item {
  readonly id: string;
  readonly tracking_token: string;
}
