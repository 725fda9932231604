import { asId } from "@feed/domain/ids";
import { createFeedService } from "@feed/feed";
import { createHttpApi } from "@feed/http-api";
import { objectsMount } from "@feed/http-api/objects.mount";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { createPictureAddresses } from "@feed/pictures";
import { createPushService } from "@feed/push";
import {
  openInstallation,
  openShared,
  type Installation,
} from "@feed/push/testing/installation.fixture";
import { issueApiKey } from "@feed/tenant-directory";
import { buildScenario, temporaryDirectory, waitFor } from "@feed/test-kit";
import { createWebhookService, runWebhooks } from "@feed/webhooks";
import { Registry } from "prom-client";

const ADMIN_TOKEN = "admin-token-of-the-tests";
const STEP_MS = 60_000;
/** What changes mean is tried, not how soon a busy machine shows them. */
const READ_YOUR_WRITES_MS = 60_000;
type Mount = Parameters<typeof createHttpApi>[0]["mounts"][number];

/** The whole service in this process, over HTTP on loopback, with a tenant, its key, and 60 articles. */
export interface Service extends AsyncDisposable {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Of the admin API. */
  readonly adminToken: string;
  /** Of topic `users`: how many facts were ever appended. */
  userFacts(): Promise<number>;
  /** Whether each of them is counted: the list of users and a dry run have no barrier. */
  isCounted(): Promise<boolean>;
  /** Sets the tenant's webhook; resolves with its secret. */
  saveWebhook(url: string): Promise<string>;
  /** Sends a test delivery to it. */
  testWebhook(): Promise<void>;
}

export async function openService(): Promise<Service> {
  const stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const shared = stack.use(await openShared());
  const { personalData } = shared;
  const { activityStore, keyring, clock } = shared.deps;
  let listening = () => "";
  const baseUrl = () => listening();
  const directory = `${path}/results`;
  const objectStore = stack.use(
    await openEmbeddedObjectStore({ directory, keyring, clock, baseUrl }),
  );
  const pictures = createPictureAddresses({ keyring, baseUrl });
  const readYourWritesMs = READ_YOUR_WRITES_MS;
  const deps = { ...shared.deps, objectStore, pictures, readYourWritesMs };
  const change = () => deps;
  const installation = stack.use(await openInstallation({ shared, change }));
  const { tenantId } = installation;
  const push = createPushService(deps);
  stack.use(await runWebhooks({ ...deps, push }, { targets: "any" }));
  const apiKey = await fill(installation);
  const webhooks = createWebhookService(deps, { targets: "any" });
  const http = stack.use(
    createHttpApi({
      ...deps,
      settings: { trustedProxies: [], adminToken: ADMIN_TOKEN, readYourWritesMs },
      metrics: new Registry(),
      activityStore,
      personalData,
      push,
      webhooks,
      feed: createFeedService({
        ...deps,
        onUnrecorded: () => undefined,
        onEngagementStale: () => undefined,
      }),
      sources: noSources,
      operations: noOperations,
      mounts: [
        objectsMount({ objectStore, keyring }),
        feedsAfterEvents(deps.eventLog, deps.readState),
      ],
      parts: new Map(),
    }),
  );
  await http.listen({ host: "127.0.0.1", port: 0 });
  listening = () => http.baseUrl();
  const stamp = () => ({ actor: "test", atMs: clock.nowMs() });
  return {
    baseUrl: http.baseUrl(),
    apiKey,
    adminToken: ADMIN_TOKEN,
    userFacts: async () =>
      (await deps.eventLog.endOffsets("users")).reduce((sum, end) => sum + end, 0),
    isCounted: async () =>
      hasPassed(await activityStore.positions("users"), await deps.eventLog.endOffsets("users")),
    saveWebhook: async (url) => {
      const { secret } = await webhooks.save(tenantId, url, stamp());
      if (secret === null) throw new Error("there was a webhook before");
      return secret;
    },
    testWebhook: async () => void (await webhooks.test(tenantId, clock.nowMs())),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/**
 * A feed is behind what was sent before it by milliseconds as a rule. Programs that look at once are tried here: they are
 * answered when all of that is projected, however busy the machine is.
 */
function feedsAfterEvents(
  eventLog: Installation["deps"]["eventLog"],
  readState: Installation["deps"]["readState"],
): Mount {
  const isProjected = async () =>
    hasPassed(await readState.positions("users"), await eventLog.endOffsets("users"));
  return async ({ path }, next) => {
    if (path === "/v1/feed") await waitFor(isProjected);
    await next();
  };
}

function hasPassed(positions: ReadonlyMap<number, number>, ends: readonly number[]): boolean {
  return ends.every((end, partition) => (positions.get(partition) ?? 0) >= end);
}

/** Resolves with a key of the tenant. */
async function fill(installation: Installation): Promise<string> {
  const { tenantId } = installation;
  const { type: scenarioType, ...scenario } = buildScenario({ tenantId });
  await installation.changeDirectory({ type: "scenario.saved", ...scenario, scenarioType });
  const { secret, key } = issueApiKey(tenantId);
  await installation.changeDirectory({ type: "api-key.issued", key });
  await installation.publish(
    ...Array.from({ length: 60 }, (_, index) => ({
      contentId: asId<never>(`article-${index}`),
      sourceId: asId<never>(`source-${1 + (index % 3)}`),
      title: `Article ${index} about subject ${index % 7}`,
      publishedAtMs: Date.now() - (index + 1) * STEP_MS,
    })),
  );
  return secret;
}

const notAsked = () => Promise.reject(new Error("nobody asks for operations"));
const noOperations = {
  lags: notAsked,
  readModels: () => [],
  rebuilds: () => [],
  deadLetters: notAsked,
  discard: notAsked,
  replay: notAsked,
};

/** No crawler runs here: each source is as one that was just added. */
const noSources = {
  health: () => ({ status: "new" as const, intervalMs: STEP_MS, errors: [] }),
  desk: () => Promise.reject(new Error("nobody previews sources")),
};
