import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { loadGazetteer } from "@feed/areas";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Article } from "@feed/domain/article";
import { billingMonth } from "@feed/domain/credits";
import type { DeliveryFact, DirectoryFact, UserFact } from "@feed/domain/facts";
import { asId, type ContentId, type TenantId, type UserId } from "@feed/domain/ids";
import { DEFAULT_SCENARIO_SETTINGS, type ScenarioSettings } from "@feed/domain/scenario";
import type { Tenant } from "@feed/domain/tenant";
import { TOPICS } from "@feed/domain/topics";
import { openHashedEmbedder } from "@feed/embedder/hashed";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { createPictureAddresses } from "@feed/pictures";
import { foldUserFacts, subjectsOf } from "@feed/projections";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { openKeyring } from "@feed/signing";
import { openTenantDirectory } from "@feed/tenant-directory";
import {
  buildArticle,
  buildScenario,
  buildSource,
  buildTenant,
  manualClock,
  temporaryDirectory,
  type ManualClock,
} from "@feed/test-kit";
import {
  createFeedService,
  type FeedDependencies,
  type FeedRequest,
  type FeedService,
} from "../index.ts";

export const NOW_MS = Date.UTC(2026, 4, 1, 3);
export const HOUR_MS = 3_600_000;
export const TENANT = asId<TenantId>("tenant-1");
export const BASE_URL = "https://feed.example";
const READS_MAX = 1_000;

export const contentId = (id: string) => asId<ContentId>(id);
export const userId = (id: string) => asId<UserId>(id);

export interface InstallationOptions {
  /** Takes the place of opened parts: a closed log, another activity store. */
  readonly change?: (deps: FeedDependencies) => FeedDependencies;
  readonly dimensions?: number;
}

/** The feed service over the real embedded parts; facts are folded onto the stores as they are given. */
export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const stack = new AsyncDisposableStack();
  const clock = manualClock(NOW_MS);
  const unrecorded: unknown[] = [];
  const parts = await openParts(stack, clock, options.dimensions ?? 64);
  const opened: FeedDependencies = {
    ...parts,
    activityStore: { engagement: async () => [] },
    gazetteer: await (gazetteer ??= loadGazetteer()),
    pictures: createPictureAddresses({ keyring: parts.keyring, baseUrl: () => BASE_URL }),
    onUnrecorded: (error) => unrecorded.push(error),
    onEngagementStale: () => undefined,
  };
  const deps = options.change?.(opened) ?? opened;
  return new Installation(stack, clock, parts, deps, unrecorded);
}

let gazetteer: ReturnType<typeof loadGazetteer> | undefined;

async function openParts(stack: AsyncDisposableStack, clock: ManualClock, dimensions: number) {
  const { path } = stack.use(await temporaryDirectory());
  const embedder = stack.use(await openHashedEmbedder({ dimensions }));
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: join(path, "log") }));
  const codec = createFactCodec(openBundledRegistry());
  const onUnreadable = (offset: number, reason: unknown) => {
    throw new Error(`directory record ${offset}`, { cause: reason });
  };
  return {
    embedder,
    eventLog,
    codec,
    readState: stack.use(await openEmbeddedReadState({ directory: join(path, "state") })),
    contentIndex: stack.use(
      await openEmbeddedContentIndex({
        directory: join(path, "index"),
        model: embedder.model,
        dimensions,
      }),
    ),
    keyring: openKeyring({ root: randomBytes(32), clock }),
    directory: stack.use(await openTenantDirectory({ eventLog, codec, clock, onUnreadable })),
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

export class Installation implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly deps: FeedDependencies;
  readonly service: FeedService;
  /** Whole, where `deps` knows a few methods alone. */
  readonly keyring: Parts["keyring"];
  /** What `onUnrecorded` was told. */
  readonly unrecorded: readonly unknown[];
  readonly #stack: AsyncDisposableStack;
  readonly #parts: Parts;
  #offset = 0;

  constructor(
    stack: AsyncDisposableStack,
    clock: ManualClock,
    parts: Parts,
    deps: FeedDependencies,
    unrecorded: readonly unknown[],
  ) {
    this.clock = clock;
    this.deps = deps;
    this.service = createFeedService(deps);
    this.keyring = parts.keyring;
    this.unrecorded = unrecorded;
    this.#stack = stack;
    this.#parts = parts;
  }

  async publish(...articles: readonly Article[]): Promise<void> {
    const changes = articles.map(
      (article) => ({ kind: "put", article, offset: this.#nextOffset() }) as const,
    );
    await this.#parts.contentIndex.apply(changes, new Map());
  }

  async withdraw(id: ContentId): Promise<void> {
    const change = { kind: "withdraw", contentId: id, offset: this.#nextOffset() } as const;
    await this.#parts.contentIndex.apply([change], new Map());
  }

  /** An article whose vector is made from `title` and `summary`. */
  async articleOf(parts: Partial<Article> & Pick<Article, "contentId">): Promise<Article> {
    const { embedder } = this.#parts;
    const article = buildArticle({ publishedAtMs: NOW_MS - HOUR_MS, ...parts });
    const text = `${article.title}\n${article.summary}`;
    const [vector = new Float32Array()] = await embedder.embed([{ text, role: "passage" }]);
    return { ...article, embedding: { model: embedder.model, vector } };
  }

  /** Facts about a user, projected. */
  async tell(user: UserId, ...facts: readonly UserFactInput[]): Promise<void> {
    const { readState, keyring } = this.#parts;
    const subjectId = keyring.pseudonyms.subjectOfUser(TENANT, user, 0);
    const common = { tenantId: TENANT, subjectId, receivedAtMs: this.clock.nowMs() };
    const placed = facts.map((fact) => ({
      fact: withUser(fact, common, user),
      partition: 0,
      offset: this.#nextOffset(),
    }));
    const stored = await readState.users(subjectsOf(placed));
    await readState.apply("users", foldUserFacts(placed, stored).changes, new Map());
  }

  async setCap(capTenths: number | null): Promise<void> {
    const offset = this.#nextOffset();
    const change = { kind: "put-cap", tenantId: TENANT, capTenths, offset } as const;
    await this.#parts.readState.apply("credits", [change], new Map());
  }

  async usedTenths(): Promise<number> {
    const month = billingMonth(this.clock.nowMs());
    return (await this.#parts.readState.creditStanding(TENANT, month)).usedTenths;
  }

  async changeDirectory(...facts: readonly DirectoryFactInput[]): Promise<void> {
    const stamp = { actor: "test", atMs: this.clock.nowMs() };
    await this.#parts.directory.change(facts.map((fact) => ({ ...fact, ...stamp })));
  }

  async saveTenant(parts: Partial<Tenant> = {}): Promise<void> {
    const tenant = buildTenant({ tenantId: TENANT, ...parts });
    await this.changeDirectory({ type: "tenant.saved", tenant });
  }

  async saveSources(...names: readonly string[]): Promise<void> {
    const sources = names.map((name) =>
      buildSource({ sourceId: asId(name), name, url: `https://${name}.example/` }),
    );
    await this.changeDirectory(
      ...sources.map((source) => ({ type: "source.saved", source }) as const),
    );
  }

  request(parts: Partial<FeedRequest> = {}): FeedRequest {
    return {
      tenant: this.#parts.directory.tenant(TENANT) ?? buildTenant({ tenantId: TENANT }),
      scenario: buildScenario({ tenantId: TENANT }),
      requestId: randomBytes(8).toString("hex"),
      limit: 20,
      areaNames: [],
      includeBody: false,
      bodyFormat: "markdown",
      explain: false,
      nowMs: this.clock.nowMs(),
      ...parts,
    };
  }

  /** What was appended to `deliveries`, partition by partition. */
  async deliveries(): Promise<DeliveryFact[]> {
    const { eventLog, codec } = this.#parts;
    const facts: DeliveryFact[] = [];
    for (let partition = 0; partition < TOPICS.deliveries.partitions; partition += 1) {
      const { records } = await eventLog.read("deliveries", partition, 0, READS_MAX);
      for (const { value } of records) {
        if (value !== null) facts.push(codec.decode(value) as DeliveryFact);
      }
    }
    return facts;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  #nextOffset(): number {
    this.#offset += 1;
    return this.#offset;
  }
}

type DirectoryFactInput = DirectoryFact extends infer Fact
  ? Fact extends DirectoryFact
    ? Omit<Fact, "actor" | "atMs">
    : never
  : never;

/** One of the facts a test tells about a user, without what is the same in all of them. */
export type UserFactInput =
  | { readonly did: "click" | "like" | "dislike" | "impression"; readonly content: ContentId }
  | { readonly wants: "follow" | "unfollow" | "block" | "unblock"; readonly source: string }
  | { readonly properties: Readonly<Record<string, unknown>> }
  | { readonly deleted: true };

function withUser(
  input: UserFactInput,
  common: Pick<UserFact, "tenantId" | "subjectId" | "receivedAtMs">,
  user: UserId,
): UserFact {
  if ("did" in input) {
    return {
      type: "behaviour.recorded",
      ...common,
      eventId: randomBytes(8).toString("hex"),
      kind: input.did,
      ofUser: true,
      contentId: input.content,
      occurredAtMs: common.receivedAtMs,
      personal: { userId: user },
    };
  }
  if ("wants" in input) {
    return {
      type: "user.source-preference-changed",
      ...common,
      sourceId: asId(input.source),
      change: input.wants,
      personal: { userId: user },
    };
  }
  if ("deleted" in input) {
    return { type: "user.deleted", ...common, userRef: asId("unused"), generation: 0 };
  }
  return {
    type: "user.properties-replaced",
    ...common,
    personal: { userId: user, properties: input.properties },
  };
}

export function settingsOf(parts: Partial<ScenarioSettings>): ScenarioSettings {
  return { ...DEFAULT_SCENARIO_SETTINGS, ...parts };
}
