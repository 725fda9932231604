import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import type { FeedDependencies } from "./dependencies.ts";
import { listExpiresAtMs, type RankedList } from "./ranked-list.ts";
import { unlessReadStateAway } from "./read-state-away.ts";

/** Stands in no content id (spec 2.1). */
const ID_SEPARATOR = "\n";

/**
 * Ranked lists, kept as snapshots until their walks have ended (architecture section 3, step 4). One that is lost,
 * or can't be looked up because the read state is away, is made anew.
 */
export class RankedLists {
  readonly #readState: FeedDependencies["readState"];

  constructor(readState: FeedDependencies["readState"]) {
    this.#readState = readState;
  }

  /** The list of a walk. A deleted user's is not handed to whoever has the same id today. */
  async ofWalk(
    tenantId: TenantId,
    listId: string,
    subjectId: SubjectId | null,
    nowMs: number,
  ): Promise<RankedList | undefined> {
    const list = await this.#list(tenantId, listId, nowMs);
    return list?.subjectId === null || list?.subjectId === subjectId ? list : undefined;
  }

  /** The last list made for requests with one key. */
  async latest(tenantId: TenantId, key: string, nowMs: number): Promise<RankedList | undefined> {
    const listId = await this.#get<string>(tenantId, latestId(key), nowMs);
    return listId === undefined ? undefined : this.#list(tenantId, listId, nowMs);
  }

  async keep(tenantId: TenantId, list: RankedList, key?: string): Promise<void> {
    await this.#put(tenantId, list.listId, keptOf(list), list);
    if (key !== undefined) await this.#put(tenantId, latestId(key), list.listId, list);
  }

  async #list(tenantId: TenantId, listId: string, nowMs: number): Promise<RankedList | undefined> {
    const kept = await this.#get<KeptList>(tenantId, listId, nowMs);
    return kept && listOf(kept);
  }

  async #get<Value>(tenantId: TenantId, id: string, nowMs: number): Promise<Value | undefined> {
    const found = await unlessReadStateAway(this.#readState.getSnapshot(tenantId, id, nowMs));
    return found as Value | undefined;
  }

  async #put(tenantId: TenantId, id: string, value: unknown, list: RankedList): Promise<void> {
    await unlessReadStateAway(
      this.#readState.putSnapshot(tenantId, id, value, listExpiresAtMs(list)),
    );
  }
}

/** Ids as one text and scores as one run of bytes: hundreds of values each take many times as long to keep. */
interface KeptList extends Omit<RankedList, "contentIds" | "scores"> {
  readonly contentIds: string;
  readonly scores: Uint8Array;
}

function keptOf(list: RankedList): KeptList {
  const scores = new Uint8Array(Float64Array.from(list.scores).buffer);
  return { ...list, contentIds: list.contentIds.join(ID_SEPARATOR), scores };
}

function listOf(kept: KeptList): RankedList {
  const contentIds = kept.contentIds === "" ? [] : kept.contentIds.split(ID_SEPARATOR);
  // A copy: what is read may lie anywhere in a larger buffer, and doubles must be aligned.
  const scores = [...new Float64Array(new Uint8Array(kept.scores).buffer)];
  return { ...kept, contentIds: contentIds.map((id) => asId<ContentId>(id)), scores };
}

function latestId(key: string): string {
  return `latest:${key}`;
}
