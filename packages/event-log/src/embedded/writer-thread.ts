import { closeSync, fsyncSync, openSync } from "node:fs";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";

import { LogRejected } from "../port.ts";
import { appendRecords } from "./appending.ts";
import { NOTHING } from "./changes.ts";
import { compact } from "./compaction.ts";
import { isSystemFault, lackOfRoom, unavailable } from "./faults.ts";
import { commit, heartbeat, join, leave, rebalance, reset } from "./groups.ts";
import type { WriteOp, WriteOutcome, WriteReply, WriteRequests } from "./protocol.ts";
import { closeStores, openStores } from "./stores.ts";
import type { Stores } from "./stores.ts";
import { WriteTransaction } from "./transaction.ts";

/**
 * The one place that writes. A thread of its own, because waiting for the write lock and for the disk
 * would stop everything else in the process; LMDB's synchronous transactions, because they report a
 * failed write as an error and leave the log as it was.
 *
 * Group commit: whatever arrived while one transaction was being synced goes together into the next, whichever thread
 * of the process it came from.
 */

const GROUP_BYTES_MAX = 32 * 1024 * 1024;
const GROUP_OPS_MAX = 4_096;
const DONE: WriteOutcome = { ok: true, result: null, changes: NOTHING };

/** What a thread of the process asked for through its door. */
interface Request {
  readonly from: MessagePort;
  readonly id: number;
  /** Null: what was asked for before it is done; it will ask for nothing more. */
  readonly op: WriteOp | null;
}
type Operation = Request & { readonly op: WriteOp };
interface Answer {
  readonly to: MessagePort;
  readonly id: number;
  readonly outcome: WriteOutcome;
}

const starter = parentPort;
if (starter === null) throw new Error("the event log's writer runs as a worker thread");
const { directory } = workerData as { directory: string };
const doors = new Set<MessagePort>();
const stores = openOrReport();
if (stores !== undefined) {
  starter.on("message", (door: MessagePort | null) =>
    door === null ? void close(stores) : open(stores, door),
  );
  report(DONE);
}

function open(opened: Stores, door: MessagePort): void {
  doors.add(door);
  // Also when the thread behind it has ended without a word.
  door.once("close", () => doors.delete(door));
  door.on("message", (requests: WriteRequests) => serve(opened, requestsOf(door, requests)));
}

function report(outcome: WriteOutcome): void {
  starter?.postMessage(outcome);
}

function requestsOf(from: MessagePort, requests: WriteRequests): Request[] {
  return requests.map(({ id, op }) => ({ from, id, op }));
}

function openOrReport(): Stores | undefined {
  try {
    const opened = openStores(directory);
    syncDirectory();
    return opened;
  } catch (error) {
    report(failed(error));
    starter?.close();
    return undefined;
  }
}

/** Makes the names of new files durable: LMDB syncs what is in them only. */
function syncDirectory(): void {
  const file = openSync(directory, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function serve(opened: Stores, first: readonly Request[]): void {
  const waiting: Request[] = [...first];
  while (waiting.length > 0) {
    receiveInto(waiting);
    const group = takeGroup(waiting);
    const accepted = refuseAppends(group);
    if (accepted.length > 0) commitGroup(opened, accepted);
    const [next] = waiting;
    if (next === undefined || next.op !== null) continue;
    waiting.shift();
    answer([{ to: next.from, id: next.id, outcome: DONE }]);
    next.from.close();
  }
}

function receiveInto(waiting: Request[]): void {
  for (const door of doors) {
    while (waiting.length < GROUP_OPS_MAX) {
      const received = receiveMessageOnPort(door);
      if (received === undefined) break;
      waiting.push(...requestsOf(door, received.message as WriteRequests));
    }
  }
}

/** Takes the operations of the next transaction; a request to close stays and ends them. */
function takeGroup(waiting: Request[]): Operation[] {
  const group: Operation[] = [];
  let bytes = 0;
  for (const { from, id, op } of waiting) {
    if (op === null || bytes >= GROUP_BYTES_MAX) break;
    group.push({ from, id, op });
    bytes += op.kind === "append" ? op.packed.byteLength : 0;
  }
  waiting.splice(0, group.length);
  return group;
}

/** What was asked for before has been answered: each message is served to its end. */
async function close(opened: Stores): Promise<void> {
  for (const door of doors) door.close();
  await closeStores(opened);
  starter?.close();
}

/**
 * Answers appends that there is no room for, and returns the others: what consumers and upkeep write is little, and lets
 * the read models come to the end of the log.
 */
function refuseAppends(group: readonly Operation[]): readonly Operation[] {
  const appends = group.filter(({ op }) => op.kind === "append");
  const reason = appends.length === 0 ? undefined : lackOfRoom(directory);
  if (reason === undefined) return group;
  const outcome: WriteOutcome = { ok: false, error: "unavailable", message: reason.message };
  answerAlike(appends, outcome);
  return group.filter(({ op }) => op.kind !== "append");
}

/** All operations in one transaction, answered once it is durable; or none of them. */
function commitGroup(opened: Stores, group: readonly Operation[]): void {
  try {
    const answers = opened.root.transactionSync(() => {
      const transaction = new WriteTransaction(opened);
      const results = group.map(({ from, id, op }) => ({
        to: from,
        id,
        outcome: outcomeOf(transaction, op),
      }));
      transaction.finish();
      return results;
    });
    answer(answers);
  } catch (error) {
    if (!isSystemFault(error)) throw error;
    answerAlike(group, failed(error));
  }
}

/** An operation that is refused has written nothing; any other error ends the whole transaction. */
function outcomeOf(transaction: WriteTransaction, op: WriteOp): WriteOutcome {
  try {
    const result = run(transaction, op);
    return { ok: true, result, changes: transaction.changes };
  } catch (error) {
    if (!(error instanceof LogRejected)) throw error;
    return { ok: false, error: "rejected", message: error.message };
  }
}

function run(transaction: WriteTransaction, op: WriteOp): unknown {
  switch (op.kind) {
    case "append":
      return appendRecords(transaction, op.packed, op.nowMs);
    case "join":
      return join(transaction, op);
    case "leave":
      return leave(transaction, op);
    case "rebalance":
      return rebalance(transaction, op);
    case "commit":
      return commit(transaction, op);
    case "heartbeat":
      return heartbeat(transaction, op);
    case "reset":
      return reset(transaction, op);
    case "compact":
      return compact(transaction, op.nowMs, op.lagMs);
  }
}

function failed(error: unknown): WriteOutcome {
  return { ok: false, error: "unavailable", message: unavailable(directory, error).message };
}

function answerAlike(group: readonly Operation[], outcome: WriteOutcome): void {
  answer(group.map(({ from, id }) => ({ to: from, id, outcome })));
}

/** One message to each thread. */
function answer(answers: readonly Answer[]): void {
  for (const [to, own] of Map.groupBy(answers, (one) => one.to)) {
    const message: WriteReply = own.map(({ id, outcome }) => ({ id, outcome }));
    to.postMessage(message);
  }
}
