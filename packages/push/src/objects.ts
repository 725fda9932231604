import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import type { SubjectId, UserId } from "@feed/domain/ids";
import { asId } from "@feed/domain/ids";
import type { ObjectStore } from "@feed/object-store";

export const RESULT_MEDIA_TYPE = "application/x-ndjson";
const TEXT_MEDIA_TYPE = "text/plain; charset=utf-8";
const HASH_CHARS = 16;
const DAY_CHARS = "2026-01-31".length;
/** Everything that is needed while a job runs; removed when it is closed. */
const WORK_PREFIX = "push";
/** Results lie by day, so that those of a day can be removed together. */
export const RESULT_PREFIX = "push-results";

/** A user of a job: neither name contains white space. */
export interface AudienceMember {
  readonly subjectId: SubjectId;
  readonly userId: UserId;
}

export function userIdsKey(jobId: string): string {
  return `${WORK_PREFIX}/${jobId}/user-ids`;
}

/** `attempt` keeps apart what two coordinators resolve at once; the fact names the one that counts. */
export function audienceKey(jobId: string, attempt: string): string {
  return `${WORK_PREFIX}/${jobId}/audience-${attempt}`;
}

/** `attempt` as of the audience. */
export function basisKey(jobId: string, attempt: string): string {
  return `${WORK_PREFIX}/${jobId}/basis-${attempt}`;
}

export function audienceChunkKey(audience: string, chunk: number): string {
  return `${audience}/${chunk}`;
}

/** Named by what is in it: a part is never replaced by another. */
export function partKey(jobId: string, chunk: number, content: Uint8Array): string {
  const hash = createHash("sha256").update(content).digest("hex").slice(0, HASH_CHARS);
  return `${WORK_PREFIX}/${jobId}/part-${chunk}-${hash}`;
}

export function resultKey(jobId: string, atMs: number): string {
  const day = new Date(atMs).toISOString().slice(0, DAY_CHARS);
  return `${RESULT_PREFIX}/${day}/${jobId}.jsonl`;
}

export async function putMembers(
  store: Pick<ObjectStore, "put">,
  key: string,
  members: readonly AudienceMember[],
): Promise<void> {
  const lines = members.map(({ subjectId, userId }) => `${subjectId} ${userId}\n`).join("");
  await store.put(key, Buffer.from(lines), TEXT_MEDIA_TYPE);
}

/** Undefined where there is none. */
export async function getMembers(
  store: Pick<ObjectStore, "get">,
  key: string,
): Promise<readonly AudienceMember[] | undefined> {
  const lines = await getLines(store, key);
  return lines?.map((line) => {
    const [subjectId = "", userId = ""] = line.split(" ");
    return { subjectId: asId<SubjectId>(subjectId), userId: asId<UserId>(userId) };
  });
}

/** Resolves with the SHA-256 of what was written. */
export async function putUserIds(
  store: Pick<ObjectStore, "put">,
  key: string,
  userIds: readonly UserId[],
): Promise<string> {
  const content = Buffer.from(userIds.map((userId) => `${userId}\n`).join(""));
  await store.put(key, content, TEXT_MEDIA_TYPE);
  return createHash("sha256").update(content).digest("hex");
}

/** Undefined where there is none, or where it is not the one of that hash. */
export async function getUserIds(
  store: Pick<ObjectStore, "get">,
  { objectKey, sha256 }: { readonly objectKey: string; readonly sha256: string },
): Promise<readonly UserId[] | undefined> {
  const found = await store.get(objectKey);
  if (found === undefined) return undefined;
  const content = await text(found.body);
  if (createHash("sha256").update(content).digest("hex") !== sha256) return undefined;
  return linesOf(content).map((line) => asId<UserId>(line));
}

async function getLines(
  store: Pick<ObjectStore, "get">,
  key: string,
): Promise<readonly string[] | undefined> {
  const found = await store.get(key);
  return found && linesOf(await text(found.body));
}

function linesOf(content: string): readonly string[] {
  return content === "" ? [] : content.trimEnd().split("\n");
}
