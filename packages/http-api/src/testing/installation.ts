import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { ActivityStore } from "@feed/activity-store";
import { ActivityStoreUnavailable } from "@feed/activity-store";
import { loadGazetteer } from "@feed/areas";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { DirectoryFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { ContentId, SourceId, TenantId } from "@feed/domain/ids";
import type { Tenant } from "@feed/domain/tenant";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { createFeedService } from "@feed/feed";
import { openPersonalData } from "@feed/personal-data";
import { createPictureAddresses } from "@feed/pictures";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { createLogger, systemClock } from "@feed/runtime";
import { openKeyring } from "@feed/signing";
import { issueApiKey, openTenantDirectory } from "@feed/tenant-directory";
import {
  buildArticle,
  buildLicence,
  buildScenario,
  buildSource,
  buildTenant,
  temporaryDirectory,
} from "@feed/test-kit";
import { Registry } from "prom-client";
import type { HttpApiDependencies } from "../dependencies.ts";
import { createHttpApi } from "../http-api.ts";
import { startTestProjector } from "./projector.ts";
import type { TestProjector } from "./projector.ts";

export const ADMIN_TOKEN = "admin-token-of-the-tests";
export const CONTENT_IDS = ["c-1", "c-2", "c-3"].map((id) => asId<ContentId>(id));
const VECTOR_DIMENSIONS = 4;

/** Two tenants over real embedded parts, reached over real HTTP. */
export interface Installation extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  readonly deps: HttpApiDependencies;
  readonly projector: TestProjector;
  /** Keys of tenant `one` (all scopes; users only; expired), of `two`, and of the suspended `three`. */
  readonly keys: Readonly<Record<"one" | "usersOnly" | "expired" | "two" | "three", string>>;
}

interface InstallationOptions {
  /** Wraps what the API is given, to take a part away. */
  readonly change?: (deps: HttpApiDependencies) => HttpApiDependencies;
  readonly activityStore?: Pick<ActivityStore, "listUsers" | "usageByDay">;
}

export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const clock = systemClock;
  const log = createLogger({ service: "test", level: "silent" });
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: join(path, "log") }));
  const readState = stack.use(await openEmbeddedReadState({ directory: join(path, "state") }));
  const codec = createFactCodec(openBundledRegistry());
  const keyring = openKeyring({ root: randomBytes(32), clock });
  const personalData = stack.use(
    await openPersonalData({ eventLog, codec, keyring, clock, directory: join(path, "keys") }),
  );
  const directory = stack.use(
    await openTenantDirectory({
      eventLog,
      codec,
      clock,
      onUnreadable: (offset, reason) => log.error({ offset, reason }, "unreadable"),
    }),
  );
  const contentIndex = stack.use(
    await openEmbeddedContentIndex({
      directory: join(path, "index"),
      model: "test-4",
      dimensions: VECTOR_DIMENSIONS,
    }),
  );
  const gazetteer = await loadGazetteer();
  const articles = CONTENT_IDS.map((contentId) => buildArticle({ contentId }));
  await contentIndex.apply(
    articles.map((article, offset) => ({ kind: "put", article, offset })),
    new Map([[0, articles.length]]),
  );
  const projector = await startTestProjector({ eventLog, readState, personalData, codec });
  stack.use(projector);
  const { facts, keys } = tenants(clock.nowMs());
  await directory.change(facts);

  const activityStore = options.activityStore ?? awayActivityStore();
  const feed = createFeedService({
    eventLog,
    codec,
    contentIndex,
    readState,
    activityStore: { engagement: () => Promise.resolve([]) },
    directory,
    keyring,
    gazetteer,
    embedder: testEmbedder(),
    pictures: createPictureAddresses({ keyring, baseUrl: () => "https://feed.example" }),
    onUnrecorded: () => undefined,
    onEngagementStale: () => undefined,
  });
  const deps: HttpApiDependencies = {
    settings: { trustedProxies: ["127.0.0.1"], adminToken: ADMIN_TOKEN },
    clock,
    log,
    metrics: new Registry(),
    directory,
    eventLog,
    readState,
    activityStore,
    feed,
    gazetteer,
    codec,
    personalData,
    keyring,
    mounts: [],
    parts: new Map([["read-state", async () => void (await readState.positions("users"))]]),
  };
  const changed = options.change?.(deps) ?? deps;
  const api = stack.use(createHttpApi(changed));
  const { port } = await api.listen({ host: "127.0.0.1", port: 0 });
  return {
    baseUrl: api.baseUrl(),
    port,
    deps: changed,
    projector,
    keys,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function tenants(nowMs: number) {
  const stamp = { actor: "test", atMs: nowMs };
  const facts: DirectoryFact[] = [];
  const save = (id: string, parts: Partial<Tenant>) => {
    const tenantId = asId<TenantId>(id);
    const tenant = buildTenant({ tenantId, slug: id, rateLimitPerSecond: 10_000, ...parts });
    const { type: scenarioType, ...feed } = buildScenario({ tenantId, name: "main" });
    facts.push({ type: "tenant.saved", tenant, ...stamp });
    facts.push({ type: "scenario.saved", ...feed, scenarioType, ...stamp });
    facts.push({
      type: "scenario.saved",
      ...feed,
      name: "daily",
      scenarioType: "push",
      ...stamp,
    });
    return (options?: Parameters<typeof issueApiKey>[1]) => {
      const { secret, key } = issueApiKey(tenantId, options);
      facts.push({ type: "api-key.issued", key, ...stamp });
      return secret;
    };
  };
  const one = save("one", { explainAllowed: false });
  const two = save("two", {});
  const three = save("three", { status: "suspended" });
  for (const name of ["source-1", "source-2"]) {
    const sourceId = asId<SourceId>(name);
    facts.push({ type: "source.saved", source: buildSource({ sourceId, name }), ...stamp });
    const licence = buildLicence({ tenantId: asId<TenantId>("one"), sourceId });
    facts.push({ type: "licence.set", licence, ...stamp });
  }
  const keys = {
    one: one(),
    usersOnly: one({ scopes: ["users"] }),
    expired: one({ expiresAtMs: nowMs - 1 }),
    two: two(),
    three: three(),
  };
  return { facts, keys };
}

function awayActivityStore(): Pick<ActivityStore, "listUsers" | "usageByDay"> {
  const away = () => Promise.reject(new ActivityStoreUnavailable("not opened"));
  return { listUsers: away, usageByDay: away };
}

/** One direction for every text: what a feed holds does not matter here. */
function testEmbedder() {
  const vector = Float32Array.from({ length: VECTOR_DIMENSIONS }, (_, index) =>
    index === 0 ? 1 : 0,
  );
  return {
    model: "test-4",
    dimensions: VECTOR_DIMENSIONS,
    embed: (texts: readonly unknown[]) => Promise.resolve(texts.map(() => vector)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
