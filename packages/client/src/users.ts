import type { Operations, User, UserProperties } from "./openapi.generated.ts";
import { entriesOf, pagesOf } from "./paging.ts";
import type { Answer, CallOptions, Transport } from "./transport.ts";

const PAGE_USERS = 1_000;

/** Profiles and source preferences: free, and a change can be read as soon as it is answered. */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @throws NotFoundError for a user that is not registered. */
  async get(userId: string, options?: CallOptions): Promise<User> {
    const call = { parameters: { user_id: userId } };
    return (await this.#transport.call("getUser", call, options)).data;
  }

  /** Creates the user where there is none; replaces the whole set of properties. */
  async put(userId: string, properties: UserProperties, options?: CallOptions): Promise<User> {
    const call = { parameters: { user_id: userId }, body: { properties } };
    return (await this.#transport.call("putUser", call, options)).data;
  }

  /**
   * Overwrites the properties that are given, each as a whole.
   *
   * @throws NotFoundError for a user that is not registered.
   */
  async patch(userId: string, properties: UserProperties, options?: CallOptions): Promise<User> {
    const call = { parameters: { user_id: userId }, body: { properties } };
    return (await this.#transport.call("patchUser", call, options)).data;
  }

  /** Deletes the user and all that belongs to it, for good; also where there is none. */
  async delete(userId: string, options?: CallOptions): Promise<void> {
    await this.#transport.call("deleteUser", { parameters: { user_id: userId } }, options);
  }

  /** One page. */
  list(
    parameters: Operations["parameters"]["listUsers"] = {},
    options?: CallOptions,
  ): Promise<Answer<"listUsers">> {
    return this.#transport.call("listUsers", { parameters }, options);
  }

  /** Every user of the tenant, in a stable order; the list may lag behind changes by seconds. */
  all(options?: CallOptions): AsyncGenerator<User, void, undefined> {
    const page = (cursor: object) => this.list({ limit: PAGE_USERS, ...cursor }, options);
    return entriesOf(pagesOf(page, undefined));
  }

  /** The source ranks higher in the user's feed; unblocks it. */
  async follow(userId: string, sourceId: string, options?: CallOptions): Promise<void> {
    await this.#transport.call("followSource", onSource(userId, sourceId), options);
  }

  async unfollow(userId: string, sourceId: string, options?: CallOptions): Promise<void> {
    await this.#transport.call("unfollowSource", onSource(userId, sourceId), options);
  }

  /** The source never appears in the user's feed; unfollows it. */
  async block(userId: string, sourceId: string, options?: CallOptions): Promise<void> {
    await this.#transport.call("blockSource", onSource(userId, sourceId), options);
  }

  async unblock(userId: string, sourceId: string, options?: CallOptions): Promise<void> {
    await this.#transport.call("unblockSource", onSource(userId, sourceId), options);
  }
}

function onSource(userId: string, sourceId: string) {
  return { parameters: { user_id: userId, source_id: sourceId } };
}
