import type { SessionRef, SubjectId, TenantId } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import type { BehaviourRecorded, Sealed } from "@feed/domain/facts";
import type { NewRecord } from "@feed/event-log";
import type { SealItem } from "@feed/personal-data";
import { userPartition } from "@feed/signing";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { EventDraft } from "./event-batch.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import { SessionOwners } from "./session-owners.ts";
import { UserPlaces } from "./user-places.ts";
import type { EventPlace } from "./user-places.ts";

/** An event, and what of it is sealed for whom. */
interface Placed extends SealItem {
  readonly draft: EventDraft;
  readonly ofUser: boolean;
}

/** Seals, encodes and appends behavioural events: one append for a batch. */
export class EventRecorder {
  readonly #deps: HttpApiDependencies;
  readonly #metrics: Pick<HttpMetrics, "sessionsShared">;
  readonly #sessionOwners = new SessionOwners();
  readonly #users: UserPlaces;

  constructor(deps: HttpApiDependencies, metrics: Pick<HttpMetrics, "sessionsShared">) {
    this.#deps = deps;
    this.#metrics = metrics;
    this.#users = new UserPlaces(deps);
  }

  /**
   * Resolves when all of them are durable.
   *
   * Errors: LogUnavailable. A read state that is away is none (`UserPlaces`).
   */
  async record(
    tenantId: TenantId,
    drafts: readonly EventDraft[],
    receivedAtMs: number,
  ): Promise<void> {
    const { eventLog, personalData } = this.#deps;
    const placed = await this.#place(tenantId, drafts);
    const sealed = await personalData.sealAll(placed);
    const records = placed.map((item, at) =>
      this.#recordOf(item, sealedAt(sealed, at), receivedAtMs),
    );
    await eventLog.append(records);
  }

  #recordOf(
    { tenantId, subjectId, partition, draft, ofUser }: Placed,
    personal: Sealed,
    receivedAtMs: number,
  ): NewRecord {
    const { eventId, kind, occurredAtMs, contentId, origin } = draft;
    const { sessionId } = draft.personal;
    const user = ofUser ? subjectId : undefined;
    const sessionRef =
      sessionId === undefined ? undefined : this.#session(tenantId, sessionId, user);
    // No field is spread: it is made for every event there is.
    const fact: BehaviourRecorded<Sealed> = {
      type: "behaviour.recorded",
      tenantId,
      subjectId,
      receivedAtMs,
      eventId,
      kind,
      ofUser,
      sessionRef,
      contentId,
      origin,
      occurredAtMs,
      personal,
    };
    const value = this.#deps.codec.encode(fact);
    return { topic: "users", partition, key: subjectId, value, timestampMs: receivedAtMs };
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
    const userIds = drafts.flatMap(({ personal: { userId } }) => userId ?? []);
    const users = await this.#users.of(tenantId, userIds);
    return drafts.map((draft) => {
      const { personal } = draft;
      const user = personal.userId && users.get(personal.userId);
      const { partition, subjectId } = user ?? this.#placeWithoutUser(tenantId, draft);
      return { tenantId, partition, subjectId, personal, draft, ofUser: user !== undefined };
    });
  }

  #placeWithoutUser(tenantId: TenantId, { eventId, personal }: EventDraft): EventPlace {
    const { pseudonyms } = this.#deps.keyring;
    const subjectId =
      personal.sessionId === undefined
        ? pseudonyms.subjectOfEvent(tenantId, eventId)
        : pseudonyms.subjectOfSession(tenantId, personal.sessionId);
    return { partition: userPartition(subjectId, USER_PARTITIONS), subjectId };
  }
}

function sealedAt(sealed: readonly Sealed[], index: number): Sealed {
  const found = sealed[index];
  if (found === undefined) throw new Error("fewer fields were sealed than given");
  return found;
}
