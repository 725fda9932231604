import { setTimeout as delay } from "node:timers/promises";
import {
  COMPATIBILITY,
  SchemaRegistry as Client,
  SchemaType,
} from "@kafkajs/confluent-schema-registry";
import type { Type } from "avsc";
import { readSchemaFolder } from "./bundled.ts";
import type { SchemaEntry, SchemaFolder } from "./bundled.ts";
import { SchemaRefused, SchemaRegistryUnavailable } from "./port.ts";
import type { RegisteredSchema, RemoteSchemaRegistry } from "./port.ts";

export interface ConfluentRegistryOptions {
  /** `http://[user:password@]host:port/path` of a registry that speaks Confluent's API. */
  readonly url: string;
  /** In front of every subject; absent: none. */
  readonly subjectPrefix?: string;
  /** The schemas of this build; absent: those of the repository. */
  readonly folder?: SchemaFolder;
  /** A request that takes longer is repeated. Absent: 5 s. */
  readonly answerTimeoutMs?: number;
}

/** As `check-schemas.ts` demands it: every version reads what every other wrote, older and newer. */
const EVERY_VERSION_READS_EVERY_OTHER = COMPATIBILITY.FULL_TRANSITIVE;
const RETRY = { retries: 3, initialRetryTimeInSecs: 0.1, maxRetryTimeInSecs: 1 };
/** What nobody has registered is asked for again after this, in case a node of the registry was behind. */
const UNKNOWN_FOR_MS = 10_000;
/** The client waits for an answer as long as it takes. */
const ANSWER_TIMEOUT_MS_DEFAULT = 5_000;
/** Now and then a request is lost on a connection that the registry closes at that moment. All of them may be repeated. */
const LOST_REQUESTS_MAX = 2;
const ATTEMPTS_MAX = 10;
const CONFLICT_DELAY_MS_MAX = 200;
const NOT_FOUND = 404;
const CONFLICT = 409;
const UNPROCESSABLE = 422;

/**
 * Registers the schemas of this build where they are missing and resolves when their ids there are known. A schema that
 * others registered, a newer version perhaps, is learned when a record names it.
 *
 * Errors: SchemaRegistryUnavailable or SchemaRefused.
 */
export async function openConfluentRegistry(
  options: ConfluentRegistryOptions,
): Promise<RemoteSchemaRegistry> {
  const { subjectPrefix = "", folder = readSchemaFolder() } = options;
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS_DEFAULT } = options;
  const registry = new ConfluentRegistry(addressOf(options.url), answerTimeoutMs);
  // One after the other: versions of a record are registered in their order.
  for (const entry of folder.entries) {
    await registry.register(entry, folder.texts.get(entry.file) ?? "", subjectPrefix);
  }
  return registry;
}

class ConfluentRegistry implements RemoteSchemaRegistry {
  #client: Client;
  readonly #address: RegistryAddress;
  readonly #byId = new Map<number, RegisteredSchema>();
  readonly #idsOfBundled = new Map<number, number>();
  readonly #newest = new Map<string, number>();
  readonly #unknownUntilMs = new Map<number, number>();
  readonly #answerTimeoutMs: number;

  constructor(address: RegistryAddress, answerTimeoutMs: number) {
    this.#client = clientOf(address);
    this.#address = address;
    this.#answerTimeoutMs = answerTimeoutMs;
  }

  async register(entry: SchemaEntry, text: string, subjectPrefix: string): Promise<void> {
    const { record, version } = entry;
    const schema = { type: SchemaType.AVRO as const, schema: text };
    const subject = `${subjectPrefix}${record}`;
    const compatibility = EVERY_VERSION_READS_EVERY_OTHER;
    try {
      const options = { subject, compatibility };
      const { id } = await this.#inTime(() => this.#registerBesideOthers(schema, options));
      this.#byId.set(id, { id, record, schema: JSON.parse(text) });
      this.#idsOfBundled.set(entry.id, id);
      // Entries come in the order of their versions: the last is the newest that this build writes.
      this.#newest.set(record, id);
    } catch (error) {
      const status = statusOf(error);
      if (status !== CONFLICT && status !== UNPROCESSABLE) throw this.#unavailable(error);
      throw new SchemaRefused(
        `the schema registry at ${this.#address.host} refuses version ${version} of ${record}: ${reasonOf(error)}`,
        { cause: error },
      );
    }
  }

  schemaById(id: number): RegisteredSchema | undefined {
    return this.#byId.get(id);
  }

  idFor(record: string): number | undefined {
    return this.#newest.get(record);
  }

  idOfBundled(bundledId: number): number | undefined {
    return this.#idsOfBundled.get(bundledId);
  }

  async learn(ids: Iterable<number>): Promise<void> {
    for (const id of ids) {
      if (!this.#byId.has(id) && (this.#unknownUntilMs.get(id) ?? 0) < performance.now())
        await this.#ask(id);
    }
  }

  /**
   * Other processes may register the same at the same time, and a first one that ended halfway has left the subject
   * without its rule: the registry then answers with a conflict about the rule.
   */
  async #registerBesideOthers(
    ...[schema, options]: Parameters<Client["register"]>
  ): Promise<{ readonly id: number }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#client.register(schema, options);
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isAboutRule(error)) throw error;
        await delay(Math.random() * CONFLICT_DELAY_MS_MAX);
        if (isOtherRule(error)) await this.#setRule(options?.subject ?? "");
      }
    }
  }

  /** The client sets a subject's rule only after it has registered the first version itself. */
  async #setRule(subject: string): Promise<void> {
    const { host, auth } = this.#address;
    const credentials = auth && Buffer.from(`${auth.username}:${auth.password}`).toString("base64");
    const answer = await fetch(`${host}/config/${encodeURIComponent(subject)}`, {
      method: "PUT",
      headers: {
        "content-type": "application/json",
        ...(credentials === undefined ? {} : { authorization: `Basic ${credentials}` }),
      },
      body: JSON.stringify({ compatibility: EVERY_VERSION_READS_EVERY_OTHER }),
      signal: AbortSignal.timeout(this.#answerTimeoutMs),
    });
    await answer.body?.cancel();
    if (!answer.ok && answer.status !== CONFLICT)
      throw new Error(`setting the rule of ${subject} is answered ${answer.status}`);
  }

  async #ask(id: number): Promise<void> {
    try {
      const type = (await this.#inTime(() => this.#client.getSchema(id))) as unknown as Type;
      const schema: unknown = type.schema({ exportAttrs: true });
      this.#byId.set(id, { id, record: type.name ?? "", schema });
    } catch (error) {
      if (statusOf(error) !== NOT_FOUND) throw this.#unavailable(error);
      this.#unknownUntilMs.set(id, performance.now() + UNKNOWN_FOR_MS);
    }
  }

  async #inTime<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (let lost = 0; ; lost += 1) {
      try {
        return await unlessLate(ask(), this.#answerTimeoutMs);
      } catch (error) {
        if (!(error instanceof NoAnswer) || lost === LOST_REQUESTS_MAX) throw error;
        // A client asks for a schema once: whoever asks again waits for the request that was lost.
        this.#client = clientOf(this.#address);
      }
    }
  }

  #unavailable(error: unknown): SchemaRegistryUnavailable {
    return new SchemaRegistryUnavailable(
      `the schema registry at ${this.#address.host} can't be used: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

interface RegistryAddress {
  readonly host: string;
  readonly auth?: { readonly username: string; readonly password: string };
}

function clientOf({ host, auth }: RegistryAddress): Client {
  return new Client({ host, retry: RETRY, ...(auth === undefined ? {} : { auth }) });
}

/** The client takes credentials apart from the address. */
function addressOf(text: string): RegistryAddress {
  const url = new URL(text);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const host = url.href.replace(/\/+$/, "");
  if (username === "") return { host };
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { host, auth };
}

class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

async function unlessLate<Result>(answer: Promise<Result>, timeoutMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const reason = new NoAnswer(`no answer within ${timeoutMs} ms`);
  const timer = setTimeout(() => late.reject(reason), timeoutMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { readonly status?: number } | null)?.status;
}

/** Of all conflicts, those that are not about the schema. */
function isAboutRule(error: unknown): boolean {
  const { url = "" } = (error ?? {}) as { readonly url?: string };
  return isOtherRule(error) || (statusOf(error) === CONFLICT && url.includes("/config/"));
}

/** The subject has another rule of compatibility than ours, or none yet. */
function isOtherRule(error: unknown): boolean {
  return error instanceof Error && error.name === "ConfluentSchemaRegistryCompatibilityError";
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");
}
