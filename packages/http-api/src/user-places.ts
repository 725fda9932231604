import { BoundedCache } from "@feed/domain/bounded-cache";
import type { SubjectId, TenantId, UserId, UserRef } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { ReadStateUnavailable } from "@feed/read-state/port";
import { userPartition } from "@feed/signing";
import type { HttpApiDependencies } from "./dependencies.ts";

/** About 400 bytes each: an active user's events name them again and again. */
const USERS_REMEMBERED_MAX = 50_000;
/** Users known to have been deleted before, for the time the read state is away. */
const GENERATIONS_REMEMBERED_MAX = 50_000;

/** Where the events of a user go. */
export interface EventPlace {
  readonly partition: number;
  readonly subjectId: SubjectId;
}

interface KnownUser extends EventPlace {
  readonly userRef: UserRef;
  readonly generation: number;
}

/** Where the events of users go, of a batch at once; pseudonyms of those that are named often are kept. */
export class UserPlaces {
  readonly #deps: Pick<HttpApiDependencies, "readState" | "keyring">;
  /** By tenant and user, as of the generation last seen. */
  readonly #users = new BoundedCache<string, KnownUser>(USERS_REMEMBERED_MAX);
  /** By user; only those above 0. */
  readonly #generations = new BoundedCache<UserRef, number>(GENERATIONS_REMEMBERED_MAX);

  constructor(deps: Pick<HttpApiDependencies, "readState" | "keyring">) {
    this.#deps = deps;
  }

  /**
   * A read state that is away is no error (architecture, "What is served when something is away"): the last generation
   * known here stands in.
   */
  async of(
    tenantId: TenantId,
    userIds: Iterable<UserId>,
  ): Promise<ReadonlyMap<UserId, EventPlace>> {
    const users = new Map<UserId, KnownUser>();
    for (const userId of userIds) {
      if (!users.has(userId)) users.set(userId, this.#known(tenantId, userId));
    }
    const userRefs = Array.from(users.values(), ({ userRef }) => userRef);
    const generations = await this.#generationsOf(tenantId, userRefs);
    for (const [at, [userId, user]] of [...users].entries()) {
      const generation = generations[at] ?? 0;
      if (generation === user.generation) continue;
      users.set(userId, this.#remember(tenantId, userId, { ...user, generation }));
    }
    return users;
  }

  #known(tenantId: TenantId, userId: UserId): KnownUser {
    const known = this.#users.get(nameOf(tenantId, userId));
    if (known !== undefined) return known;
    const userRef = this.#deps.keyring.pseudonyms.userRef(tenantId, userId);
    const partition = userPartition(userRef, USER_PARTITIONS);
    return this.#remember(tenantId, userId, { userRef, partition, generation: 0 });
  }

  #remember(
    tenantId: TenantId,
    userId: UserId,
    { userRef, partition, generation }: Omit<KnownUser, "subjectId">,
  ): KnownUser {
    const subjectId = this.#deps.keyring.pseudonyms.subjectOfUser(tenantId, userId, generation);
    const user = { userRef, partition, generation, subjectId };
    this.#users.set(nameOf(tenantId, userId), user);
    return user;
  }

  async #generationsOf(
    tenantId: TenantId,
    userRefs: readonly UserRef[],
  ): Promise<readonly number[]> {
    try {
      const generations = await this.#deps.readState.generations(tenantId, userRefs);
      for (const [at, generation] of generations.entries()) {
        const userRef = userRefs[at];
        if (generation > 0 && userRef !== undefined) this.#generations.set(userRef, generation);
      }
      return generations;
    } catch (error) {
      if (!(error instanceof ReadStateUnavailable)) throw error;
      return userRefs.map((userRef) => this.#generations.get(userRef) ?? 0);
    }
  }
}

/** No two users have the same: the tenant's length says where it ends. */
function nameOf(tenantId: TenantId, userId: UserId): string {
  return `${tenantId.length}:${tenantId}${userId}`;
}
