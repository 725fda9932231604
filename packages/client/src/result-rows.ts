import { readAnswer, standingOf } from "./answer.ts";
import { withDeadline } from "./deadline.ts";
import { ConnectionError, ContentFeedError } from "./errors.ts";
import type { PushRow } from "./openapi.generated.ts";
import { retryDelayMs } from "./retry.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Of one row, which has three candidates at most. */
const LINE_CHARS_MAX = 1024 * 1024;
/** In a row, without a single new row between them. */
const BROKEN_DOWNLOADS_MAX = 5;

/**
 * Rows of a completed job's result, as they come over the wire: a file of any size takes the memory of one row. A
 * download that breaks is begun again, at a fresh address, and goes on after the last row that was given.
 *
 * @throws ContentFeedError when the job has no result, or the file is shorter than the job says.
 */
export async function* rowsOf(
  transport: Transport,
  jobId: string,
  options: CallOptions,
): AsyncGenerator<PushRow, void, undefined> {
  const { random, sleep } = transport.effects;
  let given = 0;
  for (let broken = 0; ;) {
    const download = await downloadOf(transport, jobId, options);
    let index = 0;
    try {
      for await (const line of linesOf(bytesOf(transport, download.url, options))) {
        index += 1;
        if (index <= given) continue;
        yield parsed(line, index);
        given = index;
        broken = 0;
      }
      if (given >= download.rows) return;
      throw new ConnectionError(
        `the result of ${jobId} ended after ${given} of ${download.rows} rows`,
      );
    } catch (error) {
      broken += 1;
      const delayMs =
        broken > BROKEN_DOWNLOADS_MAX ? undefined : retryDelayMs(error, broken, random());
      if (delayMs === undefined) throw error;
      await sleep(delayMs, options.signal);
    }
  }
}

async function downloadOf(transport: Transport, jobId: string, options: CallOptions) {
  const job = await transport.call("getPushJob", { parameters: { job_id: jobId } }, options);
  if (job.status !== "completed")
    throw new ContentFeedError(`push job ${jobId} is ${job.status}: there are no rows`);
  if (job.download_url === null)
    throw new ContentFeedError(`the result of push job ${jobId} is no longer kept`);
  return { url: job.download_url, rows: job.target_user_count ?? 0 };
}

/** The address is signed: no key goes there. */
async function* bytesOf(
  { effects, timeoutMs: usualMs }: Transport,
  url: string,
  { signal, timeoutMs = usualMs }: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const what = "GET the result of a push job";
  const aborting = new AbortController();
  const within = <Value>(run: () => Promise<Value>) =>
    withDeadline({ what, timeoutMs, signal }, (deadline) => {
      deadline.addEventListener("abort", () => aborting.abort(deadline.reason), { once: true });
      return run();
    });
  try {
    const response = await within(() => effects.fetch(url, { signal: aborting.signal }));
    if (!response.ok) {
      const text = await within(() => response.text());
      readAnswer(response, text, standingOf(response, effects.nowMs()));
    }
    if (response.body === null) return;
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await within(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever stops early does not get the rest.
    aborting.abort();
  }
}

/** Lines that have their end: what follows the last of them was cut off. */
async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_CHARS_MAX) throw new ContentFeedError("a row of the result is too long");
    yield* lines;
  }
}

function parsed(line: string, number: number): PushRow {
  try {
    return JSON.parse(line) as PushRow;
  } catch (error) {
    throw new ContentFeedError(`row ${number} of the result is no JSON`, { cause: error });
  }
}
