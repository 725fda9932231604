import { TOPICS } from "@feed/domain/topics";
import type { Topic } from "@feed/domain/topics";

import { LogRejected } from "../port.ts";
import { assignedTo } from "./assignment.ts";
import { GROUPS } from "./changes.ts";
import { isProcessGone } from "./process-identity.ts";
import type { Claim, CommitOp, HeartbeatOp, JoinOp, MemberId, ResetOp } from "./protocol.ts";
import type { GroupMember, GroupValue, Stores } from "./stores.ts";
import type { WriteTransaction } from "./transaction.ts";

/** A member whose process did not report for so long has lost its partitions. */
const SESSION_TIMEOUT_MS = 10_000;
/** Whoever did not report for so long itself can't tell whether others are silent or the machine stood still. */
const STANDSTILL_MS = SESSION_TIMEOUT_MS / 2;

/** Raised whenever members or claims change: members then look at their partitions again. */
export function generation(stores: Stores, group: string): number {
  return number(stores.groups.get(["generation", group])) ?? 0;
}

export function committedOffset(
  stores: Stores,
  group: string,
  topic: Topic,
  partition: number,
): number | undefined {
  return number(stores.groups.get(["offset", group, topic, partition]));
}

export function join(transaction: WriteTransaction, op: JoinOp): null {
  expelAbsent(transaction, op.group, op.nowMs);
  const member: GroupMember = { topics: op.topics, heartbeatAtMs: op.nowMs, process: op.process };
  transaction.stores.groups.putSync(["member", op.group, op.memberId], member);
  raiseGeneration(transaction, op.group);
  return null;
}

export function leave(transaction: WriteTransaction, { group, memberId }: MemberId): null {
  if (memberOf(transaction.stores, group, memberId) === undefined) return null;
  removeMember(transaction, group, memberId);
  return null;
}

/**
 * Gives up the partitions that are another's by now and takes its own as far as they are free. The caller
 * has no records in hand, so that a partition never has two readers. Undefined: the member was expelled.
 */
export function rebalance(
  transaction: WriteTransaction,
  { group, memberId }: MemberId,
): { generation: number; claims: Claim[] } | undefined {
  const { stores } = transaction;
  const members = membersOf(stores, group);
  if (!members.some((member) => member.memberId === memberId)) return undefined;
  const assigned = assignedTo(memberId, members);
  const claims: Claim[] = [];
  let released = false;
  for (const topic of Object.keys(TOPICS) as Topic[]) {
    for (let partition = 0; partition < TOPICS[topic].partitions; partition += 1) {
      const owner = stores.groups.get(["claim", group, topic, partition]);
      const own = assigned.get(topic)?.includes(partition) === true;
      if (own && (owner === undefined || owner === memberId)) {
        if (owner === undefined)
          stores.groups.putSync(["claim", group, topic, partition], memberId);
        claims.push({
          topic,
          partition,
          committed: committedOffset(stores, group, topic, partition),
        });
      } else if (!own && owner === memberId) {
        stores.groups.removeSync(["claim", group, topic, partition]);
        released = true;
      }
    }
  }
  if (released) raiseGeneration(transaction, group);
  return { generation: generation(stores, group), claims };
}

/** Commits the offsets of the partitions that the member still holds and counts the others. */
export function commit({ stores }: WriteTransaction, op: CommitOp): { fenced: number } {
  let fenced = 0;
  for (const { topic, partition, offset } of op.offsets) {
    if (stores.groups.get(["claim", op.group, topic, partition]) === op.memberId) {
      stores.groups.putSync(["offset", op.group, topic, partition], offset);
    } else {
      fenced += 1;
    }
  }
  return { fenced };
}

/**
 * Keeps the members' sessions, ends those of others that are gone, and names the members already
 * expelled. After a standstill of the caller's own all sessions begin anew: the others may have stood still with it.
 */
export function heartbeat(transaction: WriteTransaction, op: HeartbeatOp): string[] {
  const { groups } = transaction.stores;
  const expelled: string[] = [];
  let stoodStill = false;
  for (const { group, memberId } of op.members) {
    const member = memberOf(transaction.stores, group, memberId);
    if (member === undefined) {
      expelled.push(memberId);
      continue;
    }
    stoodStill ||= member.heartbeatAtMs <= op.nowMs - STANDSTILL_MS;
    groups.putSync(["member", group, memberId], { ...member, heartbeatAtMs: op.nowMs });
  }
  for (const group of new Set(op.members.map((member) => member.group))) {
    if (stoodStill) renewSessions(transaction, group, op.nowMs);
    expelAbsent(transaction, group, op.nowMs);
  }
  return expelled;
}

/** Sets committed offsets. Throws LogRejected while the group has members. */
export function reset(transaction: WriteTransaction, op: ResetOp): null {
  expelAbsent(transaction, op.group, op.nowMs);
  const members = membersOf(transaction.stores, op.group).length;
  if (members > 0) {
    throw new LogRejected(`group ${op.group} has ${members} members: stop them to set its offsets`);
  }
  for (const { topic, partition, offset } of op.offsets) {
    transaction.stores.groups.putSync(["offset", op.group, topic, partition], offset);
  }
  return null;
}

function renewSessions({ stores }: WriteTransaction, group: string, nowMs: number): void {
  for (const { memberId, ...member } of membersOf(stores, group))
    stores.groups.putSync(["member", group, memberId], { ...member, heartbeatAtMs: nowMs });
}

function expelAbsent(transaction: WriteTransaction, group: string, nowMs: number): void {
  for (const member of membersOf(transaction.stores, group)) {
    const silent = member.heartbeatAtMs <= nowMs - SESSION_TIMEOUT_MS;
    if (silent || isProcessGone(member.process)) removeMember(transaction, group, member.memberId);
  }
}

function removeMember(transaction: WriteTransaction, group: string, memberId: string): void {
  const { groups } = transaction.stores;
  groups.removeSync(["member", group, memberId]);
  const claims = [...groups.getRange(rangeOf("claim", group))];
  for (const { key, value } of claims) if (value === memberId) groups.removeSync(key);
  raiseGeneration(transaction, group);
}

function raiseGeneration(transaction: WriteTransaction, group: string): void {
  const { stores } = transaction;
  stores.groups.putSync(["generation", group], generation(stores, group) + 1);
  transaction.changes |= GROUPS;
}

function membersOf(stores: Stores, group: string): (GroupMember & { memberId: string })[] {
  const members: (GroupMember & { memberId: string })[] = [];
  for (const { key, value } of stores.groups.getRange(rangeOf("member", group))) {
    if (isMember(value)) members.push({ ...value, memberId: String(key[2]) });
  }
  return members;
}

function memberOf(stores: Stores, group: string, memberId: string): GroupMember | undefined {
  const value = stores.groups.get(["member", group, memberId]);
  return isMember(value) ? value : undefined;
}

/** All keys [table, group, ...]: no part of a key sorts behind a string of the highest character. */
function rangeOf(table: string, group: string): { start: string[]; end: string[] } {
  return { start: [table, group], end: [table, group, "\uFFFF"] };
}

function isMember(value: GroupValue | undefined): value is GroupMember {
  return typeof value === "object";
}

function number(value: GroupValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
