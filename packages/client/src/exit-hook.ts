/** Something that holds events when the process ends. */
export interface Closing {
  /** Sends what it holds and goes on. */
  flush(): Promise<void>;
  /** Sends what it holds, for seconds at most, and ends. Never rejects. */
  close(): Promise<void>;
  /** The process ends now: there is no time left to send. */
  abandon(): void;
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
type Signal = (typeof SIGNALS)[number];

const open = new Set<Closing>();

/** Has `closing` told of the end of the process until the returned function is called. */
export function atExit(closing: Closing): () => void {
  if (open.size === 0) listen("on");
  open.add(closing);
  return () => {
    if (open.delete(closing) && open.size === 0) listen("off");
  };
}

function listen(way: "on" | "off"): void {
  // Other runtimes end without telling; there, closing is the caller's.
  if (typeof process === "undefined") return;
  process[way]("beforeExit", closeAll);
  process[way]("exit", abandonAll);
  for (const signal of SIGNALS) process[way](signal, onSignal);
}

/** There is nothing left to do but to send: the process goes on until that is done. */
async function closeAll(): Promise<void> {
  await Promise.all([...open].map((each) => each.close()));
}

function abandonAll(): void {
  for (const each of open) each.abandon();
}

async function onSignal(signal: Signal): Promise<void> {
  // Whoever else listens decides when the process ends, and may have more events until then.
  if (process.listenerCount(signal) > 1) {
    await Promise.allSettled([...open].map((each) => each.flush()));
    return;
  }
  await closeAll();
  // A listener takes a signal's effect away; with the last queue closed there is none any more.
  process.kill(process.pid, signal);
}
