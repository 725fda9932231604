import { openSafeFetch } from "@feed/safe-fetch";
import { runAnnouncer } from "./announcer.ts";
import type { WebhookDependencies } from "./dependencies.ts";
import { runSender, type SenderOptions } from "./sender.ts";
import { runUsageWatch } from "./usage-watch.ts";

/** Sent with every delivery. */
const USER_AGENT = "ContentFeedWebhooks/0.1";

export type WebhooksOptions = Omit<SenderOptions, "safeFetch">;

/** A running webhooks role. */
export interface WebhooksRole extends AsyncDisposable {
  /** Rejects when it stopped by an error; resolves or stays pending otherwise. */
  readonly failed: Promise<void>;
}

/** Tells tenants what has ended, and how near their cap they are. Any number of roles, in threads or processes, share the work. */
export async function runWebhooks(
  deps: WebhookDependencies,
  options: WebhooksOptions,
): Promise<WebhooksRole> {
  await using opened = new AsyncDisposableStack();
  const anyAddress = options.targets === "any";
  const safeFetch = opened.use(
    openSafeFetch({ userAgent: USER_AGENT, allowedOrigins: [], anyAddress }),
  );
  const sender = opened.use(runSender(deps, { ...options, safeFetch }));
  const announcer = opened.use(await runAnnouncer(deps));
  const usageWatch = opened.use(runUsageWatch(deps));
  const failed = Promise.race([sender.failed, announcer.failed, usageWatch.failed]);
  // Whoever doesn't watch `failed` must not find the process ended by it.
  failed.catch(() => undefined);
  const owned = opened.move();
  return { failed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
