import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { asId, type TenantId } from "@feed/domain/ids";
import { NO_CONDITIONS, type FilterStats, type PushJobFact } from "@feed/domain/push-facts";
import { TOPICS } from "@feed/domain/topics";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { openPersonalData } from "@feed/personal-data";
import { runProjector } from "@feed/projector";
import { JobViews } from "@feed/push/job-views";
import { openEmbeddedReadState } from "@feed/read-state/embedded";
import { createLogger, systemClock, type Clock } from "@feed/runtime";
import { openKeyring, partitionOf } from "@feed/signing";
import { openTenantDirectory } from "@feed/tenant-directory";
import { buildTenant, temporaryDirectory, waitFor } from "@feed/test-kit";
import type { WebhookDependencies } from "../dependencies.ts";
import { runWebhooks, type WebhooksOptions } from "../run.ts";
import { createWebhookService, type WebhookService } from "../service.ts";

/** A clock that stands still ends no lease: an attempt whose claim is slow to be seen must not wait for that. */
const LEASE_MS = 10 * 60_000;
export const TENANT = asId<TenantId>("tenant-1");
export const OTHER_TENANT = asId<TenantId>("tenant-2");

export interface PartsOptions {
  readonly path: string;
  readonly root: Uint8Array;
}

/** What a process of an installation opens: real embedded parts on shared directories. */
export async function openParts({ path, root }: PartsOptions, clock: Clock = systemClock) {
  const stack = new AsyncDisposableStack();
  const log = createLogger({ service: "test", level: "silent" });
  const codec = createFactCodec(openBundledRegistry());
  const keyring = openKeyring({ root, clock });
  const eventLog = stack.use(await openEmbeddedEventLog({ directory: join(path, "log") }));
  const readState = stack.use(await openEmbeddedReadState({ directory: join(path, "state") }));
  const baseUrl = () => "https://feed.example";
  const objectStore = stack.use(
    await openEmbeddedObjectStore({ directory: join(path, "objects"), keyring, clock, baseUrl }),
  );
  const onUnreadable = (offset: number, reason: unknown) => {
    throw new Error(`directory record ${offset}`, { cause: reason });
  };
  const directory = stack.use(await openTenantDirectory({ eventLog, codec, clock, onUnreadable }));
  const views = new JobViews(objectStore);
  const push: WebhookDependencies["push"] = {
    find: async (tenantId, jobId, nowMs) => {
      const record = await readState.pushJob(tenantId, jobId);
      return record && views.of(record.state, nowMs);
    },
  };
  const deps = { eventLog, codec, readState, directory, keyring, push, clock, log };
  return { deps, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

interface InstallationOptions {
  readonly clock?: Clock;
  /** How many roles work in this process. */
  readonly roles?: number;
  readonly role?: Partial<WebhooksOptions>;
  /** Takes the place of opened parts for each role. */
  readonly change?: (deps: WebhookDependencies) => WebhookDependencies;
}

/** A tenant, a projector and webhook roles over real embedded parts. */
export async function openInstallation(given: InstallationOptions = {}) {
  const { clock, roles = 1, role, change = (deps) => deps } = given;
  const stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const options = { path, root: randomBytes(32) };
  const { deps } = stack.use(await openParts(options, clock));
  const personalData = stack.use(await openPersonalData({ ...deps, directory: `${path}/keys` }));
  stack.use(await runProjector({ ...deps, personalData }));
  for (let index = 0; index < roles; index += 1)
    stack.use(await runWebhooks(change(deps), { targets: "any", leaseMs: LEASE_MS, ...role }));
  for (const tenantId of [TENANT, OTHER_TENANT]) {
    const tenant = buildTenant({ tenantId, slug: tenantId });
    await deps.directory.change([{ type: "tenant.saved", tenant, actor: "test", atMs: 0 }]);
  }
  return new Installation(stack, options, deps);
}

export class Installation implements AsyncDisposable {
  /** For processes that join in. */
  readonly options: PartsOptions;
  readonly deps: Awaited<ReturnType<typeof openParts>>["deps"];
  readonly service: WebhookService;
  readonly #stack: AsyncDisposableStack;

  constructor(
    stack: AsyncDisposableStack,
    options: PartsOptions,
    deps: Awaited<ReturnType<typeof openParts>>["deps"],
  ) {
    this.#stack = stack;
    this.options = options;
    this.deps = deps;
    this.service = createWebhookService(deps, { targets: "any" });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  stamp() {
    return { actor: "test", atMs: this.deps.clock.nowMs() };
  }

  /** Resolves with the secret. */
  async saveWebhook(url: string, tenantId = TENANT): Promise<string> {
    const { secret } = await this.service.save(tenantId, url, this.stamp());
    if (secret === null) throw new Error("there was a webhook before");
    return secret;
  }

  async rotate(): Promise<string> {
    const changed = await this.service.rotateSecret(TENANT, this.stamp());
    const secret = changed?.secret ?? null;
    if (secret === null) throw new Error("there is no webhook");
    return secret;
  }

  /** Facts of a job up to its end, as push appends them. */
  async endJob(
    jobId: string,
    how: "completed" | "failed" | "cancelled",
    filterStats: FilterStats | null = null,
  ): Promise<void> {
    await this.append(...jobFacts(jobId, how, filterStats, this.deps.clock.nowMs()));
  }

  async append(...facts: readonly PushJobFact[]): Promise<void> {
    const { codec, eventLog } = this.deps;
    const partition = partitionOf(TENANT, TOPICS["push-jobs"].partitions);
    await eventLog.append(
      facts.map((fact) => {
        const place = { topic: "push-jobs", partition, key: fact.jobId } as const;
        return { ...place, value: codec.encode(fact), timestampMs: fact.atMs };
      }),
    );
  }

  async deliveries(): Promise<readonly WebhookDeliveryState[]> {
    return this.service.deliveries(TENANT, null, 100);
  }

  /** Resolves with the newest delivery, or that of a job, once it has made so many attempts. */
  async attempted(attempts: number, jobId?: string): Promise<WebhookDeliveryState> {
    let found: WebhookDeliveryState | undefined;
    const isAttempted = async () => {
      const all = await this.deliveries();
      found = jobId === undefined ? all[0] : all.find((delivery) => delivery.jobId === jobId);
      return found?.attemptCount === attempts;
    };
    await waitFor(isAttempted);
    if (found === undefined) throw new Error("it is gone");
    return found;
  }
}

function jobFacts(
  jobId: string,
  how: "completed" | "failed" | "cancelled",
  filterStats: FilterStats | null,
  atMs: number,
): readonly PushJobFact[] {
  const base = { tenantId: TENANT, jobId, atMs };
  const scenario = "daily";
  const requested: PushJobFact = {
    type: "push-job.requested",
    ...base,
    scenario,
    candidatesPerUser: 1,
    targetMode: filterStats === null ? "manual" : "condition",
    conditions: NO_CONDITIONS,
    userIds: null,
    usersEnds: [],
    deliveriesEnds: [],
    keyKind: "live",
  };
  const started: PushJobFact = { type: "push-job.started", ...base };
  if (how === "cancelled") return [requested, { type: "push-job.cancelled", ...base }];
  if (how === "failed") {
    const failed = { type: "push-job.failed", ...base, scenario } as const;
    return [requested, started, { ...failed, code: "storage_unavailable", message: "Away." }];
  }
  const resolved = { type: "push-job.audience-resolved", ...base, filterStats } as const;
  const counts = { targetUserCount: 3, usersFailed: 1, candidates: 4, creditsTenths: 10 };
  return [
    requested,
    started,
    {
      ...resolved,
      targetUserCount: 3,
      chunkUsers: 3,
      chunkCount: 0,
      audienceKey: "a",
      basisKey: null,
    },
    {
      type: "push-job.completed",
      ...base,
      scenario,
      ...counts,
      filterStats,
      resultKey: `push-results/2026-01-01/${jobId}.jsonl`,
      sent: [],
    },
  ];
}
