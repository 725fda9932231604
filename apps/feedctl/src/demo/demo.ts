import { startDemoPublishers, type DemoPublishers } from "@feed/demo-publishers/site";
import { createPlayground, type PlaygroundHandler } from "@feed/playground/playground";
import { systemClock, waitUntil } from "@feed/runtime";
import type { Middleware } from "koa";
import type { ApiRole } from "../up/api-role.ts";
import { demoBanner } from "./banner.ts";
import { demoSignInUrl } from "./operator.ts";
import { DEMO_SCENARIOS, DEMO_TENANT_ID, seedDemo } from "./seed.ts";
import { readSiteState, writeDemoFacts, writeSiteState, type DemoSiteState } from "./state.ts";

const FIRST_ARTICLES_TIMEOUT_MS = 60_000;
const FIRST_ARTICLES_POLL_MS = 50;
/** Enough that a first feed looks like one. */
const FIRST_ARTICLES_COUNT = 24;
/** One article a minute goes out while the demo runs, so that a feed is seen to move. */
const PUBLISH_INTERVAL_MS = 60_000;

/** The demo: publishers to crawl, a tenant with a key, and the playground. */
export interface Demo extends AsyncDisposable {
  readonly mounts: readonly Middleware[];
  /** Of the demo's publishers, the only loopback address that is crawled. */
  readonly origins: readonly string[];
  /** Makes tenant and sources; the playground answers from then on. */
  seed(api: ApiRole): Promise<void>;
  /** Waits for the first articles, writes demo.json and prints what can be tried. */
  announce(api: ApiRole, stop: AbortSignal): Promise<void>;
}

export async function openDemo(options: {
  readonly dataDirectory: string;
  readonly adminToken: string;
}): Promise<Demo> {
  const { dataDirectory, adminToken } = options;
  const known = await readSiteState(dataDirectory);
  const startedAtMs = known?.startedAtMs ?? systemClock.nowMs();
  const site = await startSite(known, startedAtMs);
  const publishing = setInterval(() => site.publish(), PUBLISH_INTERVAL_MS);
  let apiKey = known?.apiKey;
  let playground: PlaygroundHandler | undefined;
  return {
    origins: [site.baseUrl],
    mounts: [
      async (ctx, next) => {
        if (playground === undefined || !/^\/playground(\/|$)/.test(ctx.path)) return next();
        ctx.respond = false;
        await playground(ctx.req, ctx.res);
      },
    ],
    async seed(api) {
      apiKey = await seedDemo(api.directory, site.publishers, {
        apiKey,
        nowMs: systemClock.nowMs(),
      });
      const port = Number(new URL(site.baseUrl).port);
      await writeSiteState(dataDirectory, { port, startedAtMs, apiKey });
      playground = await createPlayground({ baseUrl: () => api.http.baseUrl(), apiKey });
    },
    async announce(api, stop) {
      await waitUntil(
        async () => (await api.contentIndex.stats()).articles >= FIRST_ARTICLES_COUNT,
        {
          timeoutMs: FIRST_ARTICLES_TIMEOUT_MS,
          pollMs: FIRST_ARTICLES_POLL_MS,
          signal: stop,
        },
      );
      const facts = {
        base_url: api.http.baseUrl(),
        tenant_id: DEMO_TENANT_ID,
        api_key: apiKey ?? "",
        scenarios: DEMO_SCENARIOS,
        admin_token: adminToken,
        sign_in_url: await demoSignInUrl(api),
      };
      await writeDemoFacts(dataDirectory, facts);
      const { articles } = await api.contentIndex.stats();
      console.log(demoBanner(facts, articles, await firstContentId(facts)));
    },
    async [Symbol.asyncDispose]() {
      clearInterval(publishing);
      await site[Symbol.asyncDispose]();
    },
  };
}

/** On the port of the last time, because the addresses of its articles carry it; on another if that is taken. */
async function startSite(known: DemoSiteState | undefined, nowMs: number): Promise<DemoPublishers> {
  if (known === undefined) return startDemoPublishers({ nowMs });
  return startDemoPublishers({ nowMs, port: known.port }).catch(() =>
    startDemoPublishers({ nowMs }),
  );
}

async function firstContentId({
  base_url,
  api_key,
}: {
  base_url: string;
  api_key: string;
}): Promise<string> {
  const answer = await fetch(`${base_url}/v1/feed?user_id=reader-1&limit=1`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  const page = (await answer.json()) as { readonly data: readonly { readonly id: string }[] };
  return page.data[0]?.id ?? "";
}
