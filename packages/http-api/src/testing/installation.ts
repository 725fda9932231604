import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { ActivityStoreUnavailable } from "@feed/activity-store";
import { loadGazetteer } from "@feed/areas";
import { healthOf, openSourceDesk } from "@feed/crawler";
import type { OriginPoliteness } from "@feed/crawler";
import type { DirectoryFact } from "@feed/domain/facts";
import { ContentIndexUnavailable } from "@feed/content-index";
import { asId } from "@feed/domain/ids";
import type { SourceId, TenantId } from "@feed/domain/ids";
import type { Tenant } from "@feed/domain/tenant";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openPersonalData } from "@feed/personal-data";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { createLogger, systemClock } from "@feed/runtime";
import { openKeyring } from "@feed/signing";
import { issueApiKey, openTenantDirectory } from "@feed/tenant-directory";
import {
  buildLicence,
  buildScenario,
  buildSource,
  buildTenant,
  temporaryDirectory,
} from "@feed/test-kit";
import { createWebhookService } from "@feed/webhooks";
import { Registry } from "prom-client";
import type { HttpApiDependencies } from "../dependencies.ts";
import { createHttpApi } from "../http-api.ts";
import { openTestPush } from "./push.ts";
import { startTestProjector } from "./projector.ts";
import type { TestProjector } from "./projector.ts";

const NEVER_CRAWLED = { crawl: undefined, subscription: undefined };
export const ADMIN_TOKEN = "admin-token-of-the-tests";
/** What a change means is tried, not how soon a busy machine shows it. */
const PATIENT = { readYourWritesMs: 120_000 };

/** Two tenants over real embedded parts, reached over real HTTP. */
export interface Installation extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  readonly deps: HttpApiDependencies;
  readonly projector: TestProjector;
  /** Keys of tenant `one` (all scopes; users only; expired), of `two`, and of the suspended `three`. */
  readonly keys: Readonly<Record<"one" | "usersOnly" | "expired" | "two" | "three", string>>;
}

export interface InstallationOptions {
  /** Changes what the API is given; `path` is a directory for the test. */
  readonly change?: (
    deps: HttpApiDependencies,
    path: string,
  ) => HttpApiDependencies | Promise<HttpApiDependencies>;
  /** Publishers of the test on loopback. */
  readonly ownOrigins?: ReadonlyMap<string, OriginPoliteness>;
  /** What it is asked in the test; it is away for the rest. */
  readonly activityStore?: Partial<HttpApiDependencies["activityStore"]>;
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
  const gazetteer = await loadGazetteer();
  const projector = await startTestProjector({ eventLog, readState, personalData, codec });
  stack.use(projector);
  const { facts, keys } = tenants(clock.nowMs());
  await directory.change(facts);

  const desk = stack.use(
    openSourceDesk({
      userAgent: "ContentFeedBot/1.0",
      ownOrigins: options.ownOrigins ?? new Map(),
      clock,
    }),
  );
  const parts = { eventLog, readState, codec, keyring, directory, gazetteer, clock, log };
  const push = stack.use(await openTestPush(path, { ...parts, ...PATIENT })).service;
  const deps: HttpApiDependencies = {
    settings: { trustedProxies: ["127.0.0.1"], adminToken: ADMIN_TOKEN, ...PATIENT },
    clock,
    log,
    metrics: new Registry(),
    directory,
    eventLog,
    readState,
    activityStore: { ...awayActivityStore(), ...options.activityStore },
    ...standIns(),
    push,
    webhooks: createWebhookService({ ...parts, ...PATIENT }, { targets: "any" }),
    contentIndex: { articles: () => Promise.reject(new ContentIndexUnavailable("not opened")) },
    sources: {
      health: (source) => healthOf(source, NEVER_CRAWLED, clock.nowMs()),
      desk: () => Promise.resolve(desk),
    },
    gazetteer,
    codec,
    personalData,
    keyring,
    mounts: [],
    parts: new Map([["read-state", async () => void (await readState.positions("users"))]]),
  };
  const changed = (await options.change?.(deps, path)) ?? deps;
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

function awayActivityStore(): HttpApiDependencies["activityStore"] {
  const away = () => Promise.reject(new ActivityStoreUnavailable("not opened"));
  return { listUsers: away, usageByDay: away, experimentArms: away };
}

/** For what few tests ask: a feed that is away, and an installation with nothing to look after. */
function standIns(): Pick<HttpApiDependencies, "feed" | "operations"> {
  const away = () => Promise.reject(new ContentIndexUnavailable("not opened"));
  return {
    feed: {
      feed: away,
      content: away,
      preview: away,
      searchCatalogue: away,
      findInCatalogue: away,
    },
    operations: {
      lags: () => Promise.resolve([]),
      readModels: () => [],
      rebuilds: () => [],
      deadLetters: () => Promise.resolve([]),
      discard: () => Promise.resolve(),
      replay: () => Promise.resolve({ outcome: "effective" }),
    },
  };
}
