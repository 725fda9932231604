import type { ListedObject, ObjectStore } from "@feed/object-store";

/** Each holds two parts of an upload at most (packages/object-store/src/s3/uploading.ts): 64 MiB together. */
const OBJECTS_AT_ONCE = 4;
const ALL = "";

export interface ObjectCopyServices {
  readonly source: Pick<ObjectStore, "list" | "get">;
  readonly target: Pick<ObjectStore, "head" | "put">;
  readonly signal: AbortSignal;
}

export interface CopiedObjects {
  readonly copied: number;
  readonly copiedBytes: number;
  /** They lay in the target, each as large as here. */
  readonly alreadyThere: number;
  /** Objects of which the source gave other bytes than it says they have; the target has what it gave. */
  readonly differing: number;
}

/** How many objects a store holds. Errors: those of the store. */
export async function countObjects(store: Pick<ObjectStore, "list">): Promise<number> {
  let objects = 0;
  for await (const _object of store.list(ALL)) objects += 1;
  return objects;
}

/**
 * Streams every object into another store under its key, but for those that lie there as large as here: what is stored
 * under a key is never changed, so that a repetition goes on where it ended. `onDone` is told of each object.
 *
 * Errors: those of the stores, and the signal's reason.
 */
export async function copyObjects(
  services: ObjectCopyServices,
  onDone: () => void,
): Promise<CopiedObjects> {
  const sum = { copied: 0, copiedBytes: 0, alreadyThere: 0, differing: 0 };
  const objects = services.source.list(ALL)[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (let next = await objects.next(); next.done !== true; next = await objects.next()) {
      services.signal.throwIfAborted();
      const copiedBytes = await copyUnlessThere(next.value, services);
      if (copiedBytes === "there") sum.alreadyThere += 1;
      else if (copiedBytes !== "gone") {
        sum.copied += 1;
        sum.copiedBytes += copiedBytes;
        if (copiedBytes !== next.value.bytes) sum.differing += 1;
      }
      onDone();
    }
  };
  await Promise.all(Array.from({ length: OBJECTS_AT_ONCE }, work));
  return sum;
}

/** The bytes that were copied, or why none were. */
async function copyUnlessThere(
  { key, bytes }: ListedObject,
  { source, target }: ObjectCopyServices,
): Promise<number | "there" | "gone"> {
  if ((await target.head(key))?.bytes === bytes) return "there";
  const found = await source.get(key);
  // What has outlived its days is swept, also from a directory that is being copied.
  if (found === undefined) return "gone";
  return (await target.put(key, found.body, found.object.contentType)).bytes;
}
