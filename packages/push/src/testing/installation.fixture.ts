import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { startEmbeddedClickHouse, type EmbeddedClickHouse } from "@feed/activity-store/embedded";
import type { Article } from "@feed/domain/article";
import { billingMonth } from "@feed/domain/credits";
import type { DirectoryFact, SealedUserFact } from "@feed/domain/facts";
import { asId, type ContentId, type TenantId, type UserId } from "@feed/domain/ids";
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
import type { PushJobView, PushRequest, PushService } from "../service.ts";
import { openParts, type PartsOptions } from "./parts.fixture.ts";
import { factOf, type UserFactInput } from "./user-facts.fixture.ts";

const HOUR_MS = 3_600_000;
const TIMEOUT = { timeoutMs: 20_000 };
const ROOT_BYTES = 32;
const SOURCES = ["source-1", "source-2", "source-3"];

interface InstallationOptions {
  readonly engine: EmbeddedClickHouse;
  /** Null: no push role in this process. */
  readonly role?: Partial<CoordinatorOptions> | null;
  /** Takes the place of opened parts for the role. */
  readonly change?: (deps: PushDependencies) => PushDependencies;
}

/** Starts the ClickHouse engine that the installations of one test file share. */
export async function startEngine() {
  const directory = await temporaryDirectory();
  const engine = await startEmbeddedClickHouse({
    directory: directory.path,
    onExit: () => undefined,
  });
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Two tenants, three sources, a projector and a push role over real embedded parts. */
export async function openInstallation({ engine, role = {}, change }: InstallationOptions) {
  const stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const databasePrefix = `push_${randomBytes(4).toString("hex")}`;
  const root = randomBytes(ROOT_BYTES);
  const options = { path, root, endpoint: engine.endpoint, databasePrefix };
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
  if (role !== null) stack.use(await runPush(change?.(deps) ?? deps, role));
  const installation = new Installation(stack, options, deps, personalData);
  await installation.saveDirectory();
  return installation;
}

export class Installation implements AsyncDisposable {
  readonly tenantId = asId<TenantId>("tenant-1");
  readonly otherTenantId = asId<TenantId>("tenant-2");
  /** For processes that join in. */
  readonly options: PartsOptions & { readonly root: Buffer };
  readonly deps: Awaited<ReturnType<typeof openParts>>["deps"];
  readonly service: PushService;
  readonly #stack: AsyncDisposableStack;
  readonly #personalData: PersonalData;
  #events = 0;

  constructor(
    stack: AsyncDisposableStack,
    options: Installation["options"],
    deps: Installation["deps"],
    personalData: PersonalData,
  ) {
    this.#stack = stack;
    this.options = options;
    this.deps = deps;
    this.service = createPushService(deps);
    this.#personalData = personalData;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  async saveDirectory(): Promise<void> {
    for (const tenantId of [this.tenantId, this.otherTenantId]) {
      await this.changeDirectory({
        type: "tenant.saved",
        tenant: buildTenant({ tenantId, slug: tenantId }),
      });
      await this.saveScenario({}, 1, tenantId);
    }
    for (const name of SOURCES) {
      const source = buildSource({ sourceId: asId(name), name });
      await this.changeDirectory({ type: "source.saved", source });
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
    const { embedder, codec, clock, eventLog, contentIndex } = this.deps;
    const whole = articles.map((parts) =>
      buildArticle({ publishedAtMs: clock.nowMs() - HOUR_MS, ...parts }),
    );
    const texts = whole.map(({ title }) => ({ text: title, role: "passage" }) as const);
    const vectors = await embedder.embed(texts);
    const records = whole.map((article, at) => {
      const embedding = { model: embedder.model, vector: vectors[at] ?? new Float32Array() };
      const partition = partitionOf(article.contentId, TOPICS.contents.partitions);
      const value = codec.encode({ type: "article.published", article: { ...article, embedding } });
      const place = { topic: "contents", partition, key: article.contentId } as const;
      return { ...place, value, timestampMs: clock.nowMs() };
    });
    await eventLog.append(records);
    const ids = whole.map(({ contentId }) => contentId);
    const isIndexed = async () => (await contentIndex.articles(ids)).length === ids.length;
    await waitFor(isIndexed, TIMEOUT);
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
    return answer.jobId;
  }

  async view(jobId: string, of = this.tenantId): Promise<PushJobView> {
    const view = await this.service.find(of, jobId, this.deps.clock.nowMs());
    if (view === undefined) throw new Error(`there is no job ${jobId}`);
    return view;
  }

  /** Resolves when the job is closed and its credits are settled. */
  async ended(
    jobId: string,
    of = this.tenantId,
    timeoutMs = TIMEOUT.timeoutMs,
  ): Promise<PushJobView> {
    await waitFor(async () => (await this.view(jobId, of)).state.closed, { timeoutMs });
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
    const month = billingMonth(this.deps.clock.nowMs());
    const { usedTenths, reservedTenths } = await this.deps.readState.creditStanding(of, month);
    return { usedTenths, reservedTenths };
  }

  async #creditsProjected(of: TenantId): Promise<void> {
    const { eventLog, readState } = this.deps;
    const partition = partitionOf(of, TOPICS.credits.partitions);
    const end = (await eventLog.endOffsets("credits"))[partition] ?? 0;
    const isProjected = async () =>
      ((await readState.positions("credits")).get(partition) ?? 0) >= end;
    await waitFor(isProjected, TIMEOUT);
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
