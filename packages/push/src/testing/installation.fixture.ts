import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { startEmbeddedClickHouse } from "@feed/activity-store/embedded";
import type { Article } from "@feed/domain/article";
import { billingMonth } from "@feed/domain/credits";
import type { ContentFact, DirectoryFact, SealedUserFact } from "@feed/domain/facts";
import { asId, type ContentId, type SourceId, type TenantId, type UserId } from "@feed/domain/ids";
import { NO_CONDITIONS } from "@feed/domain/push-facts";
import { DEFAULT_SCENARIO_SETTINGS, type ScenarioSettings } from "@feed/domain/scenario";
import { TOPICS } from "@feed/domain/topics";
import { openPersonalData, type PersonalData } from "@feed/personal-data";
import { runProjector } from "@feed/projector";
import { partitionOf, userPartition } from "@feed/signing";
import {
  buildArticle,
  buildSource,
  buildTenant,
  temporaryDirectory,
  waitFor,
} from "@feed/test-kit";
import type { CoordinatorOptions } from "../coordinate/coordinator.ts";
import type { PushDependencies } from "../dependencies.ts";
import { createPushService } from "../open.ts";
import { runPush } from "../run.ts";
import type { CancelAnswer, PushJobView, PushRequest, PushService } from "../service.ts";
import { openParts } from "./parts.fixture.ts";
import { factOf, type UserFactInput } from "./user-facts.fixture.ts";

const HOUR_MS = 3_600_000;
/** A projector that is slow for a while fails no job: that is a test of its own. */
const BARRIER_TIMEOUT_MS = 10 * 60_000;
const ROOT_BYTES = 32;
const SOURCES = ["source-1", "source-2", "source-3"];

type Shared = Awaited<ReturnType<typeof openShared>>;

interface InstallationOptions {
  readonly shared: Shared;
  /** Null: no push role in this process. */
  readonly role?: Partial<CoordinatorOptions> | null;
  /** Takes the place of opened parts for the role. */
  readonly change?: (deps: PushDependencies) => PushDependencies;
}

/** What the installations of one test file share: real embedded parts with three sources, and their projector. */
export async function openShared() {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const onExit = () => undefined;
  const engine = stack.use(await startEmbeddedClickHouse({ directory: `${path}/engine`, onExit }));
  const root = randomBytes(ROOT_BYTES);
  const options = { path, root, endpoint: engine.endpoint };
  const { deps, activityStore } = stack.use(await openParts(options));
  const { contentIndex: index, embedder } = deps;
  const personalData = stack.use(await openPersonalData({ ...deps, directory: `${path}/keys` }));
  stack.use(
    await runProjector({
      ...deps,
      personalData,
      activityStore,
      contentIndex: { index, embedder },
    }),
  );
  const stamp = { actor: "test", atMs: deps.clock.nowMs() };
  await deps.directory.change(
    SOURCES.map((name) => {
      const source = buildSource({ sourceId: asId(name), name });
      return { type: "source.saved", source, ...stamp };
    }),
  );
  const owned = stack.move();
  const dispose = () => owned.disposeAsync();
  return { options, deps, personalData, tenants: 0, [Symbol.asyncDispose]: dispose };
}

/** Two tenants of their own, a push role, and no article. */
export async function openInstallation({ shared, role = {}, change }: InstallationOptions) {
  const { deps } = shared;
  await using stack = new AsyncDisposableStack();
  if (role !== null) {
    const options = { barrierTimeoutMs: BARRIER_TIMEOUT_MS, ...role };
    stack.use(await runPush(change?.(deps) ?? deps, options));
  }
  const installation = new Installation(stack.move(), shared);
  await installation.saveTenants();
  return installation;
}

export class Installation implements AsyncDisposable {
  readonly tenantId: TenantId;
  readonly otherTenantId: TenantId;
  /** For processes that join in. */
  readonly options: Shared["options"];
  readonly deps: Shared["deps"];
  readonly service: PushService;
  readonly #stack: AsyncDisposableStack;
  readonly #personalData: PersonalData;
  readonly #published = new Set<ContentId>();
  readonly #openedAtMs: number;
  #events = 0;

  constructor(stack: AsyncDisposableStack, shared: Shared) {
    this.tenantId = asId<TenantId>(`tenant-${(shared.tenants += 1)}`);
    this.otherTenantId = asId<TenantId>(`tenant-${(shared.tenants += 1)}`);
    this.#stack = stack;
    this.options = shared.options;
    this.deps = shared.deps;
    this.#openedAtMs = shared.deps.clock.nowMs();
    this.service = createPushService(shared.deps);
    this.#personalData = shared.personalData;
  }

  /** Ends the role and takes the articles out of the index for the next installation. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
    await this.#withdraw([...this.#published]);
  }

  async saveTenants(): Promise<void> {
    for (const tenantId of [this.tenantId, this.otherTenantId]) {
      const tenant = buildTenant({ tenantId, slug: tenantId });
      await this.changeDirectory({ type: "tenant.saved", tenant });
      await this.saveScenario({}, 1, tenantId);
    }
  }

  changeDirectory(fact: DirectoryFactInput): Promise<void> {
    const stamp = { actor: "test", atMs: this.deps.clock.nowMs() };
    return this.deps.directory.change([{ ...fact, ...stamp } as DirectoryFact]);
  }

  saveScenario(
    settings: Partial<ScenarioSettings> = {},
    version = 1,
    tenantId = this.tenantId,
  ): Promise<void> {
    return this.changeDirectory({
      type: "scenario.saved",
      tenantId,
      name: "daily",
      scenarioType: "push",
      version,
      settings: { ...DEFAULT_SCENARIO_SETTINGS, ...settings },
    });
  }

  subjectOf(userId: UserId, of = this.tenantId) {
    return this.deps.keyring.pseudonyms.subjectOfUser(of, userId, 0);
  }

  /** Articles whose vectors are made from their titles. */
  async publish(...articles: readonly Partial<Article>[]): Promise<void> {
    const { embedder, clock, contentIndex } = this.deps;
    const whole = articles.map((parts) =>
      buildArticle({ publishedAtMs: clock.nowMs() - HOUR_MS, ...parts }),
    );
    const texts = whole.map(({ title }) => ({ text: title, role: "passage" }) as const);
    const vectors = await embedder.embed(texts);
    const facts = whole.map((article, at) => {
      const embedding = { model: embedder.model, vector: vectors[at] ?? new Float32Array() };
      return { type: "article.published", article: { ...article, embedding } } as const;
    });
    const ids = whole.map(({ contentId }) => contentId);
    await this.#appendContents(ids.map((contentId, at) => [contentId, facts[at]!]));
    for (const contentId of ids) this.#published.add(contentId);
    const isIndexed = async () => (await contentIndex.articles(ids)).length === ids.length;
    await waitFor(isIndexed);
  }

  async #withdraw(ids: readonly ContentId[]): Promise<void> {
    const withdrawnAtMs = this.deps.clock.nowMs();
    const base = { type: "article.withdrawn", reason: "takedown", withdrawnAtMs } as const;
    const sourceId = asId<SourceId>("source-1");
    await this.#appendContents(
      ids.map((contentId) => [contentId, { ...base, contentId, sourceId }]),
    );
    const isGone = async () => (await this.deps.contentIndex.articles(ids)).length === 0;
    await waitFor(isGone);
  }

  async #appendContents(facts: readonly (readonly [ContentId, ContentFact])[]): Promise<void> {
    const { codec, clock, eventLog } = this.deps;
    const records = facts.map(([key, fact]) => {
      const partition = partitionOf(key, TOPICS.contents.partitions);
      const place = { topic: "contents", partition, key } as const;
      return { ...place, value: codec.encode(fact), timestampMs: clock.nowMs() };
    });
    if (records.length > 0) await eventLog.append(records);
  }

  /** Appends facts about users as an API node does. */
  async tell(...facts: readonly UserFactInput[]): Promise<void> {
    const receivedAtMs = this.deps.clock.nowMs();
    const { pseudonyms } = this.deps.keyring;
    const whole = facts.map(({ userId, of = this.tenantId, ...fact }) => {
      const base = { tenantId: of, subjectId: this.subjectOf(userId, of), receivedAtMs };
      const userRef = pseudonyms.userRef(of, userId);
      const event = `${of}-event-${(this.#events += 1)}`;
      const partition = userPartition(userRef, TOPICS.users.partitions);
      return { partition, userRef, fact: factOf(fact, base, userId, event) };
    });
    const sealing = whole.flatMap(({ partition, fact }) => {
      if (fact.type === "user.deleted" || fact.personal === null) return [];
      const { tenantId, subjectId, personal } = fact;
      return [{ tenantId, subjectId, partition, personal }];
    });
    const sealed = [...(await this.#personalData.sealAll(sealing))];
    const records = whole.map(({ partition, userRef, fact }) => {
      const stored =
        fact.type === "user.deleted"
          ? { ...fact, userRef }
          : ({ ...fact, personal: sealed.shift() } as SealedUserFact);
      const value = this.deps.codec.encode(stored);
      const place = { topic: "users", partition, key: fact.subjectId } as const;
      return { ...place, value, timestampMs: receivedAtMs };
    });
    await this.deps.eventLog.append(records);
  }

  async setCap(capTenths: number | null): Promise<void> {
    const { codec, eventLog, clock } = this.deps;
    const { tenantId } = this;
    const fact = { tenantId, capTenths, actor: "test", atMs: clock.nowMs() };
    const value = codec.encode({ type: "usage-cap.set", ...fact });
    const partition = partitionOf(tenantId, TOPICS.credits.partitions);
    const record = { partition, key: tenantId, value, timestampMs: fact.atMs };
    await eventLog.append([{ topic: "credits", ...record }]);
    await this.#creditsProjected(tenantId);
  }

  async request(parts: Partial<PushRequest> & { readonly of?: TenantId } = {}): Promise<string> {
    const { of = this.tenantId, ...rest } = parts;
    const tenant = this.deps.directory.tenant(of);
    const scenario = this.deps.directory.scenario(of, "daily");
    if (tenant === undefined || scenario === undefined) throw new Error("no such tenant");
    const answer = await this.service.request({
      tenant,
      scenario,
      candidatesPerUser: 1,
      targetMode: "condition",
      conditions: NO_CONDITIONS,
      userIds: [],
      keyKind: "live",
      requestId: randomBytes(8).toString("hex"),
      nowMs: this.deps.clock.nowMs(),
      ...rest,
    });
    if (answer.kind !== "accepted") throw new Error(`the request was ${answer.kind}`);
    const { jobId } = answer;
    // It is accepted, and on a busy machine not visible yet.
    const find = () => this.service.find(of, jobId, this.deps.clock.nowMs());
    await waitFor(async () => (await find()) !== undefined);
    return jobId;
  }

  async view(jobId: string, of = this.tenantId): Promise<PushJobView> {
    const view = await this.service.find(of, jobId, this.deps.clock.nowMs());
    if (view === undefined) throw new Error(`there is no job ${jobId}`);
    return view;
  }

  /** Asked again while it is cancelled and not visibly so, as callers are told to. */
  async cancel(jobId: string): Promise<CancelAnswer> {
    for (;;) {
      const nowMs = this.deps.clock.nowMs();
      const answer = await this.service.cancel(this.tenantId, jobId, nowMs);
      if (answer.kind !== "not-yet-visible") return answer;
    }
  }

  /** Resolves when the job is closed and its credits are settled. */
  async ended(jobId: string, of = this.tenantId): Promise<PushJobView> {
    await waitFor(async () => (await this.view(jobId, of)).state.closed);
    await this.#creditsProjected(of);
    return this.view(jobId, of);
  }

  async result(jobId: string, of = this.tenantId): Promise<readonly ResultLine[]> {
    const { completed } = (await this.view(jobId, of)).state;
    const found = completed && (await this.deps.objectStore.get(completed.resultKey));
    if (!found) throw new Error("there is no result");
    const lines = (await text(found.body)).split("\n");
    if (lines.pop() !== "") throw new Error("the last line is cut");
    return lines.map((line) => JSON.parse(line) as ResultLine);
  }

  async standing(of = this.tenantId) {
    // A month may end between a request and this.
    const months = new Set([this.#openedAtMs, this.deps.clock.nowMs()].map(billingMonth));
    const sum = { usedTenths: 0, reservedTenths: 0 };
    for (const month of months) {
      const { usedTenths, reservedTenths } = await this.deps.readState.creditStanding(of, month);
      sum.usedTenths += usedTenths;
      sum.reservedTenths += reservedTenths;
    }
    return sum;
  }

  async #creditsProjected(of: TenantId): Promise<void> {
    const { eventLog, readState } = this.deps;
    const partition = partitionOf(of, TOPICS.credits.partitions);
    const end = (await eventLog.endOffsets("credits"))[partition] ?? 0;
    const isProjected = async () =>
      ((await readState.positions("credits")).get(partition) ?? 0) >= end;
    await waitFor(isProjected);
  }
}

export interface ResultLine {
  readonly user_id: string;
  readonly candidates: readonly {
    readonly id: string;
    readonly score: number;
    readonly tracking_token: string;
    readonly [field: string]: unknown;
  }[];
  readonly empty_reason?: string;
}

export const userId = (id: string) => asId<UserId>(id);
export const contentId = (id: string) => asId<ContentId>(id);
/** `count` users, `user-0000` and so on. */
export const userIds = (count: number) =>
  Array.from({ length: count }, (_, at) => userId(`user-${String(at).padStart(4, "0")}`));

type DirectoryFactInput = DirectoryFact extends infer Fact
  ? Fact extends DirectoryFact
    ? Omit<Fact, "actor" | "atMs">
    : never
  : never;
