import type { SubjectId, TenantId } from "@feed/domain/ids";
import type { FeedDependencies } from "./dependencies.ts";
import { listExpiresAtMs, type RankedList } from "./ranked-list.ts";
import { unlessReadStateAway } from "./read-state-away.ts";

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
    const list = await this.#get<RankedList>(tenantId, listId, nowMs);
    return list?.subjectId === null || list?.subjectId === subjectId ? list : undefined;
  }

  /** The last list made for requests with one key. */
  async latest(tenantId: TenantId, key: string, nowMs: number): Promise<RankedList | undefined> {
    const listId = await this.#get<string>(tenantId, latestId(key), nowMs);
    return listId === undefined ? undefined : this.#get<RankedList>(tenantId, listId, nowMs);
  }

  async keep(tenantId: TenantId, list: RankedList, key?: string): Promise<void> {
    await this.#put(tenantId, list.listId, list, list);
    if (key !== undefined) await this.#put(tenantId, latestId(key), list.listId, list);
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

function latestId(key: string): string {
  return `latest:${key}`;
}
