import { closeSync, fsyncSync, openSync } from "node:fs";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";

import { LogRejected } from "../port.ts";
import { appendRecords } from "./appending.ts";
import { compact } from "./compaction.ts";
import { isSystemFault, unavailable } from "./faults.ts";
import { commit, heartbeat, join, leave, rebalance, reset } from "./groups.ts";
import { READY_ID } from "./protocol.ts";
import type { WriteOp, WriteOutcome, WriteReply, WriteRequest, WriteRequests } from "./protocol.ts";
import { closeStores, openStores } from "./stores.ts";
import type { Stores } from "./stores.ts";
import { WriteTransaction } from "./transaction.ts";

/**
 * The one place that writes. A thread of its own, because waiting for the write lock and for the disk
 * would stop everything else in the process; LMDB's synchronous transactions, because they report a
 * failed write as an error and leave the log as it was.
 *
 * Group commit: whatever arrived while one transaction was being synced goes together into the next.
 */

const GROUP_BYTES_MAX = 32 * 1024 * 1024;
const GROUP_OPS_MAX = 4_096;
const DONE: WriteOutcome = { ok: true, result: null, changed: false };

interface GroupedOp {
  readonly id: number;
  readonly op: WriteOp;
}

const port = parentPort;
if (port === null) throw new Error("the event log's writer runs as a worker thread");
const { directory } = workerData as { directory: string };
const stores = openOrReport();
if (stores !== undefined) {
  port.on("message", (requests: WriteRequests) => serve(stores, requests));
  reply([{ id: READY_ID, outcome: DONE }]);
}

function openOrReport(): Stores | undefined {
  try {
    const opened = openStores(directory);
    syncDirectory();
    return opened;
  } catch (error) {
    reply([{ id: READY_ID, outcome: failed(error) }]);
    port?.close();
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

function serve(opened: Stores, first: WriteRequests): void {
  const waiting: WriteRequest[] = [...first];
  while (waiting.length > 0) {
    receiveInto(waiting);
    const group = takeGroup(waiting);
    if (group.length > 0) commitGroup(opened, group);
    const next = waiting[0];
    if (next?.op === null) return void close(opened, next.id);
  }
}

function receiveInto(waiting: WriteRequest[]): void {
  while (waiting.length < GROUP_OPS_MAX) {
    const message = port === null ? undefined : receiveMessageOnPort(port);
    if (message === undefined) return;
    waiting.push(...(message.message as WriteRequests));
  }
}

/** Takes the operations of the next transaction; a request to close stays and ends them. */
function takeGroup(waiting: WriteRequest[]): GroupedOp[] {
  const group: GroupedOp[] = [];
  let bytes = 0;
  for (const { id, op } of waiting) {
    if (op === null || bytes >= GROUP_BYTES_MAX) break;
    group.push({ id, op });
    bytes += op.kind === "append" ? op.packed.byteLength : 0;
  }
  waiting.splice(0, group.length);
  return group;
}

async function close(opened: Stores, id: number): Promise<void> {
  await closeStores(opened);
  reply([{ id, outcome: DONE }]);
  port?.close();
}

/** All operations in one transaction, answered once it is durable; or none of them. */
function commitGroup(opened: Stores, group: readonly GroupedOp[]): void {
  try {
    const outcomes = opened.root.transactionSync(() => {
      const transaction = new WriteTransaction(opened);
      const results = group.map(({ id, op }) => ({ id, outcome: outcomeOf(transaction, op) }));
      transaction.finish();
      return results;
    });
    reply(outcomes);
  } catch (error) {
    if (!isSystemFault(error)) throw error;
    reply(group.map(({ id }) => ({ id, outcome: failed(error) })));
  }
}

/** An operation that is refused has written nothing; any other error ends the whole transaction. */
function outcomeOf(transaction: WriteTransaction, op: WriteOp): WriteOutcome {
  try {
    const result = run(transaction, op);
    return { ok: true, result, changed: transaction.changed };
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

function reply(message: WriteReply): void {
  port?.postMessage(message);
}
