import { BoundedCache } from "@feed/domain/bounded-cache";
import type { SessionRef, SubjectId, TenantId, UserRef } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import type { BehaviourRecorded, Sealed } from "@feed/domain/facts";
import { ReadStateUnavailable } from "@feed/read-state/port";
import { userPartition } from "@feed/signing";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { EventDraft } from "./event-batch.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import { SessionOwners } from "./session-owners.ts";

/** Users known to have been deleted before, for the time the read state is away. */
const GENERATIONS_REMEMBERED_MAX = 50_000;

interface Placed {
  readonly draft: EventDraft;
  readonly partition: number;
  readonly subjectId: SubjectId;
  readonly ofUser: boolean;
}

/** Seals, encodes and appends behavioural events: one append for a batch. */
export class EventRecorder {
  readonly #deps: HttpApiDependencies;
  readonly #metrics: Pick<HttpMetrics, "sessionsShared">;
  readonly #sessionOwners = new SessionOwners();
  /** By user; only those above 0. */
  readonly #generations = new BoundedCache<UserRef, number>(GENERATIONS_REMEMBERED_MAX);

  constructor(deps: HttpApiDependencies, metrics: Pick<HttpMetrics, "sessionsShared">) {
    this.#deps = deps;
    this.#metrics = metrics;
  }

  /**
   * Resolves when all of them are durable.
   *
   * Errors: LogUnavailable. A read state that is away is none (architecture, "What is served when
   * something is away"): the last generation known here stands in.
   */
  async record(
    tenantId: TenantId,
    drafts: readonly EventDraft[],
    receivedAtMs: number,
  ): Promise<void> {
    const { codec, eventLog, personalData } = this.#deps;
    const placed = await this.#place(tenantId, drafts);
    const sealed = await personalData.sealAll(
      placed.map(({ partition, subjectId, draft: { personal } }) => ({
        tenantId,
        subjectId,
        partition,
        personal,
      })),
    );
    const records = placed.map(({ draft, partition, subjectId, ofUser }, index) => {
      const { personal, ...clear } = draft;
      const fact: BehaviourRecorded<Sealed> = {
        type: "behaviour.recorded",
        tenantId,
        subjectId,
        receivedAtMs,
        ofUser,
        ...clear,
        ...(personal.sessionId !== undefined && {
          sessionRef: this.#session(tenantId, personal.sessionId, ofUser ? subjectId : undefined),
        }),
        personal: sealedAt(sealed, index),
      };
      const value = codec.encode(fact);
      const at = { partition, key: subjectId, timestampMs: receivedAtMs };
      return { topic: "users", value, ...at } as const;
    });
    await eventLog.append(records);
  }

  #session(tenantId: TenantId, sessionId: string, user: SubjectId | undefined): SessionRef {
    const sessionRef = this.#deps.keyring.pseudonyms.sessionRef(tenantId, sessionId);
    if (user !== undefined && this.#sessionOwners.isShared(sessionRef, user)) {
      this.#metrics.sessionsShared.inc();
    }
    return sessionRef;
  }

  /** Where each event goes: with its user, else its session, else by itself. */
  async #place(tenantId: TenantId, drafts: readonly EventDraft[]): Promise<readonly Placed[]> {
    const { pseudonyms } = this.#deps.keyring;
    const users = await this.#usersOf(tenantId, drafts);
    return drafts.map((draft) => {
      const { userId, sessionId } = draft.personal;
      const user = userId === undefined ? undefined : users.get(userId);
      if (user !== undefined) return { draft, ofUser: true, ...user };
      const subjectId =
        sessionId === undefined
          ? pseudonyms.subjectOfEvent(tenantId, draft.eventId)
          : pseudonyms.subjectOfSession(tenantId, sessionId);
      const partition = userPartition(subjectId, USER_PARTITIONS);
      return { draft, ofUser: false, partition, subjectId };
    });
  }

  async #usersOf(tenantId: TenantId, drafts: readonly EventDraft[]) {
    const { pseudonyms } = this.#deps.keyring;
    const ids = new Set(drafts.flatMap(({ personal: { userId } }) => userId ?? []));
    const entries = await Promise.all(
      Array.from(ids, async (userId) => {
        const userRef = pseudonyms.userRef(tenantId, userId);
        const generation = await this.#generation(tenantId, userRef);
        const place = {
          partition: userPartition(userRef, USER_PARTITIONS),
          subjectId: pseudonyms.subjectOfUser(tenantId, userId, generation),
        };
        return [userId, place] as const;
      }),
    );
    return new Map(entries);
  }

  async #generation(tenantId: TenantId, userRef: UserRef): Promise<number> {
    try {
      const generation = await this.#deps.readState.generation(tenantId, userRef);
      if (generation > 0) this.#generations.set(userRef, generation);
      return generation;
    } catch (error) {
      if (!(error instanceof ReadStateUnavailable)) throw error;
      return this.#generations.get(userRef) ?? 0;
    }
  }
}

function sealedAt(sealed: readonly Sealed[], index: number): Sealed {
  const found = sealed[index];
  if (found === undefined) throw new Error("fewer fields were sealed than given");
  return found;
}
