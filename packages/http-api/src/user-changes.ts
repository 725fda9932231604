import type { SealedUserFact, SourcePreferenceChange } from "@feed/domain/facts";
import type { SourceId, UserId } from "@feed/domain/ids";
import type { LogPosition } from "@feed/domain/topics";
import type { UserProperties, UserState } from "@feed/domain/user";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import { unavailable } from "./problem.ts";
import { ProjectionWait } from "./projection-wait.ts";
import { placeOfUser, type UserName, type UserPlace } from "./user-place.ts";

/** A user deleted between reading the generation and the change: the change is made for the next one. */
const GENERATIONS_TRIED_MAX = 3;
const NOT_VISIBLE_RETRY_AFTER_SECONDS = 1;

/** What the projection made of a PUT. */
export interface UserReplaced {
  readonly state: UserState;
  readonly created: boolean;
}

type ChangeOfProperties = "user.properties-replaced" | "user.properties-merged";

/**
 * Changes to users: each is appended, then waited for until the read state has passed it, and the answer
 * is what the projection decided (architecture rule 1; spec 4.3).
 *
 * Errors: LogUnavailable, ReadStateUnavailable; Problem 503 "accepted, not yet visible" after 2 s.
 */
export class UserChanges {
  readonly #deps: HttpApiDependencies;
  readonly #metrics: HttpMetrics;
  readonly #wait: ProjectionWait;

  constructor(deps: HttpApiDependencies, metrics: HttpMetrics) {
    this.#deps = deps;
    this.#metrics = metrics;
    this.#wait = new ProjectionWait(deps.readState, "users", deps.settings.readYourWritesMs);
  }

  /** The user, or undefined where there is none. */
  async find(name: UserName): Promise<UserState | undefined> {
    return this.#stateAt(await this.#placeOf(name));
  }

  /** Replaces the whole set of properties; creates the user where there is none. */
  async replaceProperties(name: UserName, properties: UserProperties): Promise<UserReplaced> {
    for (let tries = 1; tries <= GENERATIONS_TRIED_MAX; tries += 1) {
      const place = await this.#placeOf(name);
      const change = { userId: name.userId, properties };
      const position = await this.#appendSealed(place, change, {
        type: "user.properties-replaced",
      });
      const state = await this.#stateAt(place);
      if (state !== undefined) return { state, created: state.createdOffset === position.offset };
    }
    throw this.#notVisible();
  }

  /** Overwrites the properties that are given; undefined where there is no user. */
  async mergeProperties(
    name: UserName,
    properties: UserProperties,
  ): Promise<UserState | undefined> {
    const place = await this.#placeOf(name);
    const change = { userId: name.userId, properties };
    const position = await this.#appendSealed(place, change, { type: "user.properties-merged" });
    return this.#stateOfChanged(place, position);
  }

  /** Undefined where there is no user. */
  async changePreference(
    name: UserName,
    sourceId: SourceId,
    change: SourcePreferenceChange,
  ): Promise<UserState | undefined> {
    const place = await this.#placeOf(name);
    const position = await this.#appendSealed(
      place,
      { userId: name.userId },
      { type: "user.source-preference-changed", sourceId, change },
    );
    return this.#stateOfChanged(place, position);
  }

  /**
   * Ends the user's generation; also where there is nothing to delete. The projector destroys the keys before it
   * passes the deletion, so that nothing is left to be done here, or undone by a crash here.
   */
  async delete(name: UserName): Promise<void> {
    const place = await this.#placeOf(name);
    const { tenantId, subjectId, userRef, generation } = place;
    const receivedAtMs = this.#deps.clock.nowMs();
    const deleted = { tenantId, subjectId, userRef, generation, receivedAtMs };
    await this.#visible(await this.#append(place, { type: "user.deleted", ...deleted }));
  }

  #placeOf(name: UserName): Promise<UserPlace> {
    return placeOfUser(this.#deps, name);
  }

  async #appendSealed(
    place: UserPlace,
    personal: { readonly userId: UserId; readonly properties?: UserProperties },
    change:
      | { readonly type: ChangeOfProperties }
      | {
          readonly type: "user.source-preference-changed";
          readonly sourceId: SourceId;
          readonly change: SourcePreferenceChange;
        },
  ): Promise<LogPosition> {
    const { tenantId, subjectId, partition } = place;
    const [sealed] = await this.#deps.personalData.sealAll([
      { tenantId, subjectId, partition, personal },
    ]);
    if (sealed === undefined) throw new Error("nothing was sealed");
    const receivedAtMs = this.#deps.clock.nowMs();
    const fact = { ...change, tenantId, subjectId, receivedAtMs, personal: sealed };
    const position = await this.#append(place, fact);
    await this.#visible(position);
    return position;
  }

  async #append({ partition, subjectId }: UserPlace, fact: SealedUserFact): Promise<LogPosition> {
    const { eventLog, codec } = this.#deps;
    const [position] = await eventLog.append([
      {
        topic: "users",
        partition,
        key: subjectId,
        value: codec.encode(fact),
        timestampMs: fact.receivedAtMs,
      },
    ]);
    if (position === undefined) throw new Error("nothing was appended");
    return position;
  }

  async #visible(position: LogPosition): Promise<void> {
    if (!(await this.#wait.passed(position))) throw this.#notVisible();
  }

  async #stateAt({ tenantId, subjectId }: UserPlace): Promise<UserState | undefined> {
    const [record] = await this.#deps.readState.users([{ tenantId, subjectId }]);
    return record?.kind === "user" ? record.state : undefined;
  }

  /** A user created after the change was not there when it was made. */
  async #stateOfChanged(place: UserPlace, position: LogPosition): Promise<UserState | undefined> {
    const state = await this.#stateAt(place);
    return state !== undefined && state.createdOffset < position.offset ? state : undefined;
  }

  #notVisible(): Error {
    this.#metrics.changesNotVisible.inc();
    return unavailable(
      "The change is accepted, but not yet visible; repeating it is safe.",
      NOT_VISIBLE_RETRY_AFTER_SECONDS,
    );
  }
}
