import type { ContentId } from "@feed/domain/ids";
import { READ_MARKS_PER_USER_MAX } from "@feed/domain/limits";
import type { SubjectKey } from "@feed/domain/user";
import type { ModelTables } from "./tables.ts";

/**
 * Read contents of a user, in chunks, because a row for each would cost a range read of as many keys with every
 * feed. Chunk 0 is the open one: the number of full chunks, then its contents. Full chunks are numbered from 1;
 * the oldest goes when they would hold more than READ_MARKS_PER_USER_MAX.
 */
const CHUNK_CONTENTS = 128;
const FULL_CHUNKS_MAX = Math.floor(READ_MARKS_PER_USER_MAX / CHUNK_CONTENTS) - 1;

type OpenChunk = readonly [fullChunks: number, contents: readonly ContentId[]];

/** Inside a write transaction. Contents of the open chunk are not marked twice, older ones may be. */
export function addReadMarks(
  { marks }: ModelTables,
  { tenantId, subjectId }: SubjectKey,
  contentIds: Iterable<ContentId>,
): void {
  const openKey = [tenantId, subjectId, 0];
  const known = marks.get(openKey) as OpenChunk | undefined;
  let full = known?.[0] ?? 0;
  let contents = new Set(known?.[1]);
  for (const contentId of contentIds) {
    contents.add(contentId);
    if (contents.size < CHUNK_CONTENTS) continue;
    full += 1;
    marks.putSync([tenantId, subjectId, full], [...contents]);
    contents = new Set();
    if (full > FULL_CHUNKS_MAX) marks.removeSync([tenantId, subjectId, full - FULL_CHUNKS_MAX]);
  }
  marks.putSync(openKey, [full, [...contents]]);
}

export function readMarksOf(
  { marks }: ModelTables,
  { tenantId, subjectId }: SubjectKey,
): ReadonlySet<ContentId> {
  const open = marks.get([tenantId, subjectId, 0]) as OpenChunk | undefined;
  if (open === undefined) return new Set();
  const [full, contents] = open;
  const read = new Set(contents);
  for (let chunk = full; chunk > oldestKept(full); chunk -= 1) {
    const older = marks.get([tenantId, subjectId, chunk]) as readonly ContentId[] | undefined;
    for (const contentId of older ?? []) read.add(contentId);
  }
  return read;
}

/** Inside a write transaction. */
export function removeReadMarks({ marks }: ModelTables, { tenantId, subjectId }: SubjectKey): void {
  const open = marks.get([tenantId, subjectId, 0]) as OpenChunk | undefined;
  if (open === undefined) return;
  for (let chunk = open[0]; chunk > oldestKept(open[0]); chunk -= 1) {
    marks.removeSync([tenantId, subjectId, chunk]);
  }
  marks.removeSync([tenantId, subjectId, 0]);
}

/** Chunks above this number are kept. */
function oldestKept(full: number): number {
  return Math.max(0, full - FULL_CHUNKS_MAX);
}
