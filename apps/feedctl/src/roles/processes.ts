import type { AddressInfo, Server } from "node:net";
import { openCore } from "@feed/engines";
import { ConfigError, systemClock } from "@feed/runtime";
import { openIdSettingsOf } from "../openid-settings.ts";
import { adminTokenOf, httpSettings, ownOriginsOf, publicUrlOf } from "../settings.ts";
import { startTracing } from "../tracing.ts";
import { startApi } from "../up/api-role.ts";
import { registerProjections } from "../up/projection-metrics.ts";
import { openCrawlerRole } from "./crawler-role.ts";
import { openProjectorRole, type ProjectorRoleData } from "./projector-role.ts";
import { openPushRole } from "./push-role.ts";
import { ended, prepare, runRole, type RoleFlags } from "./run-role.ts";
import { standby } from "./standby.ts";

/** Each resolves when the process was told to stop and everything is closed. */

export async function runApi(flags: RoleFlags): Promise<void> {
  const { surroundings, opened } = await prepare("api", flags);
  await using _all = opened;
  const { config, installation, stop } = surroundings;
  opened.use(await startTracing("api", process.env));
  const adminToken = await adminTokenOf(installation.dataDirectory, config.adminToken);
  const api = opened.use(
    await startApi({
      ...surroundings,
      ownOrigins: ownOriginsOf(config),
      settings: httpSettings(config, adminToken),
      webhookTargets: config.webhookTargets,
      openId: openIdSettingsOf(config),
      address: flags,
      mounts: [],
    }),
  );
  console.log(`api is running at ${listeningAt(api.http.server)}`);
  await ended({ failed: new Promise<never>(() => undefined) }, stop);
}

/** Where it listens, which behind a balancer is not where callers reach it. */
function listeningAt(server: Pick<Server, "address">): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}

export function runProjector(flags: RoleFlags, keeps: ProjectorRoleData["keeps"]): Promise<void> {
  return runRole("projector", flags, ({ installation, activity, config, metrics }) =>
    openProjectorRole(
      { installation, activity, keeps, logLevel: config.logLevel },
      registerProjections(metrics),
    ),
  );
}

export function runPush(flags: RoleFlags): Promise<void> {
  return runRole("push", flags, ({ installation, activity, config }) => {
    const { publicUrl } = publicUrlOf(config);
    if (publicUrl === undefined)
      throw new ConfigError(["PUBLIC_URL is not set: push results name addresses of the API"]);
    const { webhookTargets, logLevel } = config;
    return openPushRole({ installation, activity, baseUrl: publicUrl, webhookTargets, logLevel });
  });
}

export function runCrawler(flags: RoleFlags): Promise<void> {
  return runRole("crawler", flags, async ({ installation, config, log }) => {
    await using opening = new AsyncDisposableStack();
    const { eventLog } = opening.use(await openCore(installation, systemClock, log));
    const ownOrigins = ownOriginsOf(config);
    const { logLevel } = config;
    const crawler = opening.use(
      await standby(eventLog, "crawler", () =>
        openCrawlerRole({ installation, ownOrigins, ...publicUrlOf(config), logLevel }),
      ),
    );
    const owned = opening.move();
    return { failed: crawler.failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  });
}
