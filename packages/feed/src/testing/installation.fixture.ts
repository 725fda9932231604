import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { loadGazetteer } from "@feed/areas";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Article } from "@feed/domain/article";
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
  buildScenario,
  buildSource,
  buildTenant,
  manualClock,
  temporaryDirectory,
} from "@feed/test-kit";
import { createFeedService, type FeedDependencies, type FeedRequest } from "../index.ts";

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
export async function openInstallation({ change, dimensions = 64 }: InstallationOptions = {}) {
  const stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const clock = manualClock(NOW_MS);
  const embedder = stack.use(await openHashedEmbedder({ dimensions }));
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: join(path, "log") }));
  const readState = stack.use(await openEmbeddedReadState({ directory: join(path, "state") }));
  const contentIndex = stack.use(
    await openEmbeddedContentIndex({
      directory: join(path, "index"),
      model: embedder.model,
      dimensions,
    }),
  );
  const codec = createFactCodec(openBundledRegistry());
  const keyring = openKeyring({ root: randomBytes(32), clock });
  const onUnreadable = (offset: number, reason: unknown) => {
    throw new Error(`directory record ${offset}`, { cause: reason });
  };
  const directory = stack.use(await openTenantDirectory({ eventLog, codec, clock, onUnreadable }));
  const unrecorded: unknown[] = [];
  const opened: FeedDependencies = {
    eventLog,
    codec,
    contentIndex,
    readState,
    activityStore: { engagement: async () => [] },
    directory,
    keyring,
    gazetteer: await loadGazetteer(),
    embedder,
    pictures: createPictureAddresses({ keyring, baseUrl: () => BASE_URL }),
    onUnrecorded: (error) => unrecorded.push(error),
    onEngagementStale: () => undefined,
  };
  const deps = change?.(opened) ?? opened;
  let offset = 0;

  const changeDirectory = (...facts: DirectoryFactInput[]) =>
    directory.change(facts.map((fact) => ({ ...fact, actor: "test", atMs: clock.nowMs() })));

  return {
    clock,
    deps,
    unrecorded,
    changeDirectory,
    service: createFeedService(deps),

    async publish(...articles: readonly Article[]) {
      await contentIndex.apply(
        articles.map((article) => ({ kind: "put", article, offset: (offset += 1) })),
        new Map(),
      );
    },
    /** An article whose vector is made from `title` and `summary`. */
    async articleOf(parts: Partial<Article> & Pick<Article, "contentId">): Promise<Article> {
      const { buildArticle } = await import("@feed/test-kit");
      const article = buildArticle({ publishedAtMs: NOW_MS - HOUR_MS, ...parts });
      const text = `${article.title}\n${article.summary}`;
      const [vector = new Float32Array()] = await embedder.embed([{ text, role: "passage" }]);
      return { ...article, embedding: { model: embedder.model, vector } };
    },
    async withdraw(id: ContentId) {
      await contentIndex.apply(
        [{ kind: "withdraw", contentId: id, offset: (offset += 1) }],
        new Map(),
      );
    },

    async tell(user: UserId, ...facts: readonly UserFactInput[]) {
      const subjectId = keyring.pseudonyms.subjectOfUser(TENANT, user, 0);
      const placed = facts.map((fact) => {
        const receivedAtMs = clock.nowMs();
        const common = { tenantId: TENANT, subjectId, receivedAtMs };
        return { fact: withUser(fact, common, user), partition: 0, offset: (offset += 1) };
      });
      const stored = await readState.users(subjectsOf(placed));
      await readState.apply("users", foldUserFacts(placed, stored).changes, new Map());
    },
    async setCap(capTenths: number | null) {
      const changes = [
        { kind: "put-cap", tenantId: TENANT, capTenths, offset: (offset += 1) } as const,
      ];
      await readState.apply("credits", changes, new Map());
    },
    async usedTenths() {
      const month = new Date(clock.nowMs() + 9 * HOUR_MS).toISOString().slice(0, 7);
      return (await readState.creditStanding(TENANT, month)).usedTenths;
    },
    async saveTenant(parts: Partial<Tenant> = {}) {
      await changeDirectory({
        type: "tenant.saved",
        tenant: buildTenant({ tenantId: TENANT, ...parts }),
      });
    },
    async saveSources(...names: readonly string[]) {
      await changeDirectory(
        ...names.map((name) => ({
          type: "source.saved" as const,
          source: buildSource({ sourceId: asId(name), name, url: `https://${name}.example/` }),
        })),
      );
    },
    request(parts: Partial<FeedRequest> = {}): FeedRequest {
      const tenant = directory.tenant(TENANT) ?? buildTenant({ tenantId: TENANT });
      return {
        tenant,
        scenario: buildScenario({ tenantId: TENANT }),
        requestId: randomBytes(8).toString("hex"),
        limit: 20,
        areaNames: [],
        includeBody: false,
        bodyFormat: "markdown",
        explain: false,
        nowMs: clock.nowMs(),
        ...parts,
      };
    },
    /** What was appended to `deliveries`, in no order. */
    async deliveries(): Promise<DeliveryFact[]> {
      const facts: DeliveryFact[] = [];
      for (let partition = 0; partition < TOPICS.deliveries.partitions; partition += 1) {
        const { records } = await eventLog.read("deliveries", partition, 0, READS_MAX);
        for (const { value } of records) {
          if (value !== null) facts.push(codec.decode(value) as DeliveryFact);
        }
      }
      return facts;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

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
