import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ActivityStore } from "@feed/activity-store";
import { openClickHouseActivityStore } from "@feed/activity-store/clickhouse";
import { startEmbeddedClickHouse, type EmbeddedClickHouse } from "@feed/activity-store/embedded";
import { loadGazetteer } from "@feed/areas";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Article } from "@feed/domain/article";
import { billingMonth } from "@feed/domain/credits";
import type { CreditFact, DirectoryFact, SealedUserFact, UserFact } from "@feed/domain/facts";
import { asId, type ContentId, type TenantId, type UserId } from "@feed/domain/ids";
import { NO_CONDITIONS } from "@feed/domain/push";
import { DEFAULT_SCENARIO_SETTINGS, type ScenarioSettings } from "@feed/domain/scenario";
import { TOPICS } from "@feed/domain/topics";
import { openHashedEmbedder } from "@feed/embedder/hashed";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { openPersonalData } from "@feed/personal-data";
import { createPictureAddresses } from "@feed/pictures";
import { runProjector } from "@feed/projector";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { createLogger, systemClock } from "@feed/runtime";
import { openKeyring, partitionOf, userPartition } from "@feed/signing";
import { openTenantDirectory } from "@feed/tenant-directory";
import {
  buildArticle,
  buildSource,
  buildTenant,
  temporaryDirectory,
  waitFor,
} from "@feed/test-kit";
import { createPushService, runPush, type CoordinatorOptions } from "../index.ts";
import type { PushDependencies } from "../dependencies.ts";
import type { PushJobView, PushRequest } from "../service.ts";

const tenantId = asId<TenantId>("tenant-1");
const otherTenantId = asId<TenantId>("tenant-2");
export const HOUR_MS = 3_600_000;
const DIMENSIONS = 64;
const BASE_URL = "https://feed.example";
const TIMEOUT = { timeoutMs: 20_000 };
const ROOT_BYTES = 32;

export interface PartsOptions {
  readonly path: string;
  readonly root: Uint8Array;
  readonly endpoint: EmbeddedClickHouse["endpoint"];
  /** Installations of one engine are kept apart by their databases. */
  readonly databasePrefix: string;
}

/** What a process of an installation opens: real embedded parts on shared directories. */
export async function openParts({ path, root, endpoint, databasePrefix }: PartsOptions) {
  const stack = new AsyncDisposableStack();
  const clock = systemClock;
  const log = createLogger({ service: "test", level: "silent" });
  const codec = createFactCodec(openBundledRegistry());
  const keyring = openKeyring({ root, clock });
  const embedder = stack.use(await openHashedEmbedder({ dimensions: DIMENSIONS }));
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: join(path, "log") }));
  const readState = stack.use(await openEmbeddedReadState({ directory: join(path, "state") }));
  const contentIndex = stack.use(
    await openEmbeddedContentIndex({
      directory: join(path, "index"),
      model: embedder.model,
      dimensions: DIMENSIONS,
    }),
  );
  const activityStore: ActivityStore = stack.use(
    await openClickHouseActivityStore(endpoint, { databasePrefix }),
  );
  const baseUrl = () => BASE_URL;
  const objectStore = stack.use(
    await openEmbeddedObjectStore({ directory: join(path, "objects"), keyring, clock, baseUrl }),
  );
  const onUnreadable = (offset: number, reason: unknown) => {
    throw new Error(`directory record ${offset}`, { cause: reason });
  };
  const directory = stack.use(await openTenantDirectory({ eventLog, codec, clock, onUnreadable }));
  const deps = {
    eventLog,
    codec,
    readState,
    activityStore,
    objectStore,
    contentIndex,
    directory,
    keyring,
    gazetteer: await loadGazetteer(),
    embedder,
    pictures: createPictureAddresses({ keyring, baseUrl }),
    clock,
    log,
  } satisfies PushDependencies;
  return { deps, activityStore, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

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
  const root = randomBytes(ROOT_BYTES);
  const databasePrefix = `push_${randomBytes(4).toString("hex")}`;
  const options = { path, root, endpoint: engine.endpoint, databasePrefix };
  const parts = stack.use(await openParts(options));
  const { deps } = parts;
  const { eventLog, codec, keyring, readState, clock } = deps;
  const { pseudonyms } = keyring;
  const personalData = stack.use(
    await openPersonalData({ eventLog, codec, keyring, clock, directory: join(path, "keys") }),
  );
  const { contentIndex: index, activityStore, embedder } = deps;
  const projecting = { eventLog, codec, personalData, readState, activityStore, clock };
  stack.use(
    await runProjector({ ...projecting, contentIndex: { index, embedder }, log: deps.log }),
  );
  if (role !== null) stack.use(await runPush(change?.(deps) ?? deps, role));
  const service = createPushService(deps);

  const changeDirectory = (...facts: readonly DirectoryFactInput[]) =>
    deps.directory.change(
      facts.map((fact) => ({ ...fact, actor: "test", atMs: clock.nowMs() }) as DirectoryFact),
    );
  const saveScenario = (settings: Partial<ScenarioSettings> = {}, version = 1, of = tenantId) =>
    changeDirectory({
      type: "scenario.saved",
      tenantId: of,
      name: "daily",
      scenarioType: "push",
      version,
      settings: { ...DEFAULT_SCENARIO_SETTINGS, ...settings },
    });
  for (const id of [tenantId, otherTenantId]) {
    const tenant = buildTenant({ tenantId: id, slug: id });
    await changeDirectory({ type: "tenant.saved", tenant });
    await saveScenario({}, 1, id);
  }
  for (const sourceId of ["source-1", "source-2", "source-3"]) {
    const source = buildSource({ sourceId: asId(sourceId), name: sourceId });
    await changeDirectory({ type: "source.saved", source });
  }

  const subjectOf = (userId: UserId, of = tenantId) => pseudonyms.subjectOfUser(of, userId, 0);
  const partitionOfUser = (userId: UserId, of = tenantId) =>
    userPartition(pseudonyms.userRef(of, userId), TOPICS.users.partitions);
  let events = 0;

  const installation = {
    /** For processes that join in. */
    options,
    deps,
    service,
    tenantId,
    otherTenantId,
    changeDirectory,
    saveScenario,
    subjectOf,

    async publish(...articles: readonly Partial<Article>[]) {
      const whole = articles.map((parts) =>
        buildArticle({ publishedAtMs: clock.nowMs() - HOUR_MS, ...parts }),
      );
      const vectors = await embedder.embed(
        whole.map(({ title }) => ({ text: title, role: "passage" })),
      );
      const records = whole.map((article, at) => {
        const vector = vectors[at] ?? new Float32Array();
        const embedding = { model: embedder.model, vector };
        return {
          topic: "contents" as const,
          partition: partitionOf(article.contentId, TOPICS.contents.partitions),
          key: article.contentId,
          value: codec.encode({ type: "article.published", article: { ...article, embedding } }),
          timestampMs: clock.nowMs(),
        };
      });
      await eventLog.append(records);
      const last = whole.at(-1)?.contentId;
      if (last !== undefined) {
        await waitFor(async () => (await index.articles([last])).length === 1, TIMEOUT);
      }
    },

    /** Appends facts about users as an API node does. */
    async tell(...facts: readonly UserFactInput[]) {
      const receivedAtMs = clock.nowMs();
      const whole = facts.map(
        ({ userId, of = tenantId, ...fact }): [UserId, TenantId, UserFact] => {
          const base = { tenantId: of, subjectId: subjectOf(userId, of), receivedAtMs };
          return [userId, of, factOf(fact, base, userId, `event-${(events += 1)}`)];
        },
      );
      const sealing = whole.flatMap(([userId, of, fact]) => {
        if (fact.type === "user.deleted" || fact.personal === null) return [];
        const { subjectId, personal } = fact;
        return [{ tenantId: of, subjectId, partition: partitionOfUser(userId, of), personal }];
      });
      const sealed = [...(await personalData.sealAll(sealing))];
      await eventLog.append(
        whole.map(([userId, of, fact]) => {
          const stored =
            fact.type === "user.deleted"
              ? { ...fact, userRef: pseudonyms.userRef(of, userId) }
              : ({ ...fact, personal: sealed.shift() } as SealedUserFact);
          return {
            topic: "users" as const,
            partition: partitionOfUser(userId, of),
            key: fact.subjectId,
            value: codec.encode(stored),
            timestampMs: receivedAtMs,
          };
        }),
      );
    },

    async credit(fact: CreditFact) {
      const partition = partitionOf(fact.tenantId, TOPICS.credits.partitions);
      const value = codec.encode(fact);
      const record = { partition, key: fact.tenantId, value, timestampMs: fact.atMs };
      const [position] = await eventLog.append([{ topic: "credits", ...record }]);
      const isProjected = async () =>
        ((await readState.positions("credits")).get(partition) ?? 0) > (position?.offset ?? 0);
      await waitFor(isProjected, TIMEOUT);
    },
    setCap(capTenths: number | null) {
      const atMs = clock.nowMs();
      return this.credit({ type: "usage-cap.set", tenantId, capTenths, actor: "test", atMs });
    },

    async request(parts: Partial<PushRequest> & { readonly of?: TenantId } = {}) {
      const { of = tenantId, ...rest } = parts;
      const tenant = deps.directory.tenant(of);
      const scenario = deps.directory.scenario(of, "daily");
      if (tenant === undefined || scenario === undefined) throw new Error("no such tenant");
      const answer = await service.request({
        tenant,
        scenario,
        candidatesPerUser: 1,
        targetMode: "condition",
        conditions: NO_CONDITIONS,
        userIds: [],
        keyKind: "live",
        requestId: randomBytes(8).toString("hex"),
        nowMs: clock.nowMs(),
        ...rest,
      });
      if (answer.kind !== "accepted") throw new Error(`the request was ${answer.kind}`);
      return answer.jobId;
    },
    async view(jobId: string, of = tenantId): Promise<PushJobView> {
      const view = await service.find(of, jobId, clock.nowMs());
      if (view === undefined) throw new Error(`there is no job ${jobId}`);
      return view;
    },
    /** Resolves when the job is closed: its credits are settled by then. */
    async ended(jobId: string, of = tenantId, timeoutMs = TIMEOUT.timeoutMs) {
      await waitFor(async () => (await this.view(jobId, of)).state.closed, { timeoutMs });
      const credits = TOPICS.credits.partitions;
      const partition = partitionOf(of, credits);
      const end = (await eventLog.endOffsets("credits"))[partition] ?? 0;
      const isProjected = async () =>
        ((await readState.positions("credits")).get(partition) ?? 0) >= end;
      await waitFor(isProjected, TIMEOUT);
      return this.view(jobId, of);
    },
    async result(jobId: string, of = tenantId): Promise<readonly ResultLine[]> {
      const { completed } = (await this.view(jobId, of)).state;
      const found = completed && (await deps.objectStore.get(completed.resultKey));
      if (!found) throw new Error("there is no result");
      const lines = (await text(found.body)).split("\n");
      if (lines.pop() !== "") throw new Error("the last line is cut");
      return lines.map((line) => JSON.parse(line) as ResultLine);
    },
    async standing(of = tenantId) {
      const { usedTenths, reservedTenths } = await readState.creditStanding(
        of,
        billingMonth(clock.nowMs()),
      );
      return { usedTenths, reservedTenths };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
  return installation;
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

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

export type UserFactInput = { readonly userId: UserId; readonly of?: TenantId } & (
  | {
      readonly did: "click" | "session_start";
      readonly content?: ContentId;
      readonly atMs?: number;
    }
  | { readonly blocks: string }
  | { readonly properties: Readonly<Record<string, unknown>> }
  | { readonly deleted: true }
);

function factOf(
  input: Omit<UserFactInput, "userId" | "of">,
  base: Pick<UserFact, "tenantId" | "subjectId" | "receivedAtMs">,
  user: UserId,
  eventId: string,
): UserFact {
  const fact = input as UserFactInput;
  if ("did" in fact) {
    return {
      type: "behaviour.recorded",
      ...base,
      eventId: `${base.tenantId}-${eventId}`,
      kind: fact.did,
      ofUser: true,
      ...(fact.content === undefined ? {} : { contentId: fact.content }),
      occurredAtMs: fact.atMs ?? base.receivedAtMs,
      personal: { userId: user },
    };
  }
  if ("blocks" in fact) {
    return {
      type: "user.source-preference-changed",
      ...base,
      sourceId: asId(fact.blocks),
      change: "block",
      personal: { userId: user },
    };
  }
  if ("deleted" in fact) {
    return { type: "user.deleted", ...base, userRef: asId("set when stored"), generation: 0 };
  }
  return {
    type: "user.properties-replaced",
    ...base,
    personal: { userId: user, properties: fact.properties },
  };
}
