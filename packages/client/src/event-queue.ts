import { ClientUsageError } from "./errors.ts";
import { atExit } from "./exit-hook.ts";
import type { Event, Fault } from "./openapi.generated.ts";
import { isPassing, jitterMs } from "./retry.ts";
import type { Transport } from "./transport.ts";

/** What the service takes in one request. */
export const EVENTS_PER_BATCH_MAX = 100;
/** How long an event waits for others to go with it. */
const LINGER_MS = 1_000;
const QUEUED_EVENTS_MAX = 10_000;
const CLOSE_TIMEOUT_MS = 5_000;

/** Events that will not be sent again, and why. */
export interface DroppedEvents {
  readonly events: readonly Event[];
  /**
   * `queue-full`: the service was away for too long; `closed`: pushed after the queue was closed; `rejected`: the
   * service refused the event, `faults` says why; `failed`: it could not be sent, `error` says why; `exit`: the process
   * ended at once.
   */
  readonly reason: "queue-full" | "closed" | "rejected" | "failed" | "exit";
  readonly faults?: readonly Fault[];
  readonly error?: unknown;
}

export interface EventQueueOptions {
  /** Told of every event that is lost; must not throw. */
  readonly onDropped: (dropped: DroppedEvents) => void;
  /** Events held while they can't be sent; further ones are dropped. 10,000 when omitted. */
  readonly queuedEventsMax?: number;
  /** How long closing goes on sending, also when the process ends. 5 seconds when omitted. */
  readonly closeTimeoutMs?: number;
}

interface Batch {
  readonly events: readonly Event[];
  readonly idempotencyKey: string;
}

/**
 * Sends events in the background, in order: 100 at once, or what there is after a second. What fails in passing is kept
 * and tried again; each event carries an `event_id`, so that no repetition counts twice. When the process ends by
 * itself, by SIGTERM or by SIGINT, what is left is sent first; before `process.exit()` call `close`.
 */
export class EventQueue implements AsyncDisposable {
  readonly #transport: Transport;
  readonly #options: Required<EventQueueOptions>;
  readonly #abort = new AbortController();
  readonly #leave: () => void;
  #waiting: Event[] = [];
  /** Taken from `#waiting` and not yet answered: a repetition is the same request. */
  #batch: Batch | undefined;
  #sending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #closing: Promise<void> | undefined;

  /** @throws ClientUsageError for a size below 1, and for no time to close in. */
  constructor(transport: Transport, options: EventQueueOptions) {
    const { queuedEventsMax = QUEUED_EVENTS_MAX, onDropped } = options;
    const { closeTimeoutMs = CLOSE_TIMEOUT_MS } = options;
    if (!(queuedEventsMax >= 1)) throw new ClientUsageError("queuedEventsMax must be at least 1");
    if (!(closeTimeoutMs > 0)) throw new ClientUsageError("closeTimeoutMs must be above 0");
    this.#transport = transport;
    this.#options = { onDropped, queuedEventsMax, closeTimeoutMs };
    this.#leave = atExit({
      flush: () => this.flush(),
      close: () => this.close(),
      abandon: () => this.#drop(this.#takeAll(), { reason: "exit" }),
    });
  }

  /** Events that are held. */
  get size(): number {
    return this.#waiting.length + (this.#batch?.events.length ?? 0);
  }

  /** False: the event was dropped, and `onDropped` was told. The event is stamped with time and id where it has none. */
  push(event: Event): boolean {
    const { newId, nowMs } = this.#transport.effects;
    const occurredAt = new Date(nowMs()).toISOString();
    const stamped = { event_id: newId(), occurred_at: occurredAt, ...event };
    if (this.#closing !== undefined) return this.#drop([stamped], { reason: "closed" });
    if (this.size >= this.#options.queuedEventsMax)
      return this.#drop([stamped], { reason: "queue-full" });
    this.#waiting.push(stamped);
    if (this.#failures === 0 && this.#waiting.length >= EVENTS_PER_BATCH_MAX) this.#sendSoon(0);
    else this.#sendSoon(LINGER_MS);
    return true;
  }

  /** Resolves when all that was pushed is recorded or dropped; rejects, and keeps it, when it can't be sent now. */
  async flush(): Promise<void> {
    await this.#send();
  }

  /** Sends what is held, for `closeTimeoutMs` at most, and drops what is left. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { closeTimeoutMs } = this.#options;
    const timeout = setTimeout(
      () => this.#abort.abort(new Error(`not sent within ${closeTimeoutMs} ms of closing`)),
      closeTimeoutMs,
    );
    await this.flush().catch((error: unknown) => {
      this.#drop(this.#takeAll(), { reason: "failed", error });
    });
    clearTimeout(timeout);
    this.#leave();
  }

  #sendSoon(delayMs: number): void {
    if (this.#sending !== undefined || (this.#timer !== undefined && delayMs > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      // What failed in passing is tried again; the rest has been told.
      this.#send().catch(() => undefined);
    }, delayMs);
    // A process with nothing else to do ends, and sends what is left then.
    this.#timer.unref?.();
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.size === 0) return Promise.resolve();
    this.#sending ??= this.#sendAll();
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    try {
      for (;;) {
        const batch = (this.#batch ??= this.#nextBatch());
        if (batch === undefined) return;
        await this.#sendOrDrop(batch);
        this.#batch = undefined;
      }
    } finally {
      // At once: what is pushed from now on is sent anew.
      this.#sending = undefined;
      const { random } = this.#transport.effects;
      if (this.size > 0 && this.#closing === undefined)
        this.#sendSoon(LINGER_MS + jitterMs(this.#failures, random()));
    }
  }

  /** @throws what may pass, and when closing took too long: the batch is kept. */
  async #sendOrDrop(batch: Batch): Promise<void> {
    try {
      await this.#sendBatch(batch);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (isPassing(error) || this.#abort.signal.aborted) throw error;
      this.#drop(batch.events, { reason: "failed", error });
    }
  }

  async #sendBatch({ events, idempotencyKey }: Batch): Promise<void> {
    const { data } = await this.#transport.call(
      "postEvents",
      // One bad event must not take the others along.
      { parameters: { partial: true }, body: { events: [...events] } },
      { idempotencyKey, signal: this.#abort.signal },
    );
    for (const [index, faults] of faultsByEvent(data.rejected ?? [])) {
      const event = events[index];
      if (event !== undefined) this.#drop([event], { reason: "rejected", faults });
    }
  }

  #nextBatch(): Batch | undefined {
    const events = this.#waiting.splice(0, EVENTS_PER_BATCH_MAX);
    if (events.length === 0) return undefined;
    return { events, idempotencyKey: this.#transport.effects.newId() };
  }

  #takeAll(): readonly Event[] {
    const events = [...(this.#batch?.events ?? []), ...this.#waiting];
    this.#batch = undefined;
    this.#waiting = [];
    return events;
  }

  #drop(events: readonly Event[], why: Omit<DroppedEvents, "events">): false {
    if (events.length > 0) this.#options.onDropped({ events, ...why });
    return false;
  }
}

function faultsByEvent(faults: readonly Fault[]): ReadonlyMap<number, readonly Fault[]> {
  const found = new Map<number, Fault[]>();
  for (const fault of faults) {
    const index = Number(/^\/events\/(\d+)/.exec(fault.pointer)?.[1]);
    found.set(index, [...(found.get(index) ?? []), fault]);
  }
  return found;
}
