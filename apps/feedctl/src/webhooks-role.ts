import { openCore, openReadState, type InstallationConfig } from "@feed/engines";
import { asId, type TenantId } from "@feed/domain/ids";
import { ConfigError, systemClock, type LogLevel } from "@feed/runtime";
import { openTenantDirectory, type TenantDirectory } from "@feed/tenant-directory";
import { createWebhookService, type WebhookService, type WebhookTargets } from "@feed/webhooks";
import { roleLogger, unreadable } from "./up/logging.ts";

/** The webhooks of an installation, which may be running. */
export interface WebhooksRole extends AsyncDisposable {
  readonly directory: TenantDirectory;
  readonly service: WebhookService;
  /** @throws ConfigError where there is no such tenant. */
  knownTenant(tenantId: string): TenantId;
  stamp(): { readonly actor: string; readonly atMs: number };
}

export async function openWebhooks(options: {
  readonly installation: InstallationConfig;
  readonly targets: WebhookTargets;
  readonly logLevel: LogLevel;
}): Promise<WebhooksRole> {
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("webhooks", options.logLevel);
  const core = opened.use(await openCore(options.installation, clock, log));
  const readState = opened.use(await openReadState(options.installation));
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const { targets } = options;
  const service = createWebhookService({ ...core, readState, directory }, { targets });
  const owned = opened.move();
  return {
    directory,
    service,
    knownTenant(tenantId) {
      const tenant = directory.tenant(asId<TenantId>(tenantId));
      if (tenant === undefined) throw new ConfigError([`there is no tenant ${tenantId}`]);
      return tenant.tenantId;
    },
    stamp: () => ({ actor: "feedctl", atMs: clock.nowMs() }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
