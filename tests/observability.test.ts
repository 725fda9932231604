import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { openCore } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { temporaryDirectory } from "@feed/test-kit";
import { startService, type ServiceProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { appendDirectory } from "../bench/src/installation/append-articles.ts";
import { directoryFacts } from "../bench/src/installation/directory-facts.ts";
import { clientOf } from "./faults/client.ts";

/** Goal: no panel stays empty and no alert sleeps because a metric was renamed. Method: what the service itself serves. */
const FOLDER = resolve(import.meta.dirname, "../infra/observability");
const OF_PROMETHEUS = new Set(["up", "job", "instance", "le"]);
const PATIENCE = { timeout: 60_000, interval: 200 };

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

const text = (file: string) => readFileSync(resolve(FOLDER, file), "utf8");
const dashboard = JSON.parse(text("grafana/dashboards/content-feed.json")) as Dashboard;
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
);
const alerts = (parse(text("alerts.yml")) as Rules).groups.flatMap(({ rules }) =>
  rules.map(({ alert, expr }) => [alert, expr] as const),
);

/** Names of the metrics that are served, each with its labels. */
type Served = ReadonlyMap<string, ReadonlySet<string>>;

const stack = new AsyncDisposableStack();
let service: ServiceProcess;
beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  const apiKey = await makeTenant(path);
  service = stack.use(await startService({ dataDirectory: path }));
  const client = clientOf(service.baseUrl, apiKey);
  await client.feed("reader-1");
  await client.postEvents([
    { type: "click", user_id: "reader-1", session_id: "session-1", content_id: "article-1" },
  ]);
});
afterAll(() => stack.disposeAsync());

/** A tenant in an installation without sources; its key. */
async function makeTenant(dataDirectory: string): Promise<string> {
  const nowMs = systemClock.nowMs();
  const { apiKey, facts } = directoryFacts(nowMs);
  await using core = await openCore({ dataDirectory, embedder: "hashed:256" }, systemClock);
  const ofTenant = facts.filter(({ type }) => type !== "source.saved");
  await appendDirectory(core, ofTenant, nowMs);
  return apiKey;
}

/** From the text format: a name that is declared has the labels of its samples. */
function metricsIn(page: string): Served {
  const metrics = new Map<string, Set<string>>();
  for (const [, name = "", kind] of page.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const suffix of kind === "histogram" ? ["_bucket", "_count", "_sum"] : [""])
      metrics.set(`${name}${suffix}`, new Set());
  for (const [, name = "", labels = ""] of page.matchAll(/^(\w+)\{(.*)\} /gm))
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) metrics.get(name)?.add(label);
  return metrics;
}

/** For what is missing, to be asked until nothing is: each label comes with the first thing that is counted under it. */
function seenIn<Seen>(look: (served: Served) => Seen) {
  return async () => look(metricsIn(await (await fetch(`${service.baseUrl}/metrics`)).text()));
}

/** Metrics that an expression names: whatever is neither a function, a keyword, a label nor a duration. */
function metricsOf(expr: string): string[] {
  const bare = expr.replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b(?:by|without)\s*\([^)]*\)/g, " ");
  return [...bare.matchAll(/\b[a-z]\w*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !OF_PROMETHEUS.has(name) && name !== "by" && name !== "without");
}

/** Labels that an expression matches or groups by. */
function labelsOf(expr: string): string[] {
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, matchers = ""]) =>
    [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = ""]) => label),
  );
  const grouped = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
    labels.split(",").map((label) => label.trim()),
  );
  return [...matched, ...grouped].filter((label) => !OF_PROMETHEUS.has(label));
}

describe.each([
  ["The dashboard", panels],
  ["The alert rules", alerts],
])("%s", (_, expressions) => {
  it.each(expressions)("%s is about metrics that the service serves", async (_title, expr) => {
    const missing = (served: Served) => metricsOf(expr).filter((name) => !served.has(name));
    await expect.poll(seenIn(missing), PATIENCE).toEqual([]);
  });

  it.each(expressions)("%s looks at labels that they have", async (_title, expr) => {
    const silent = new Set(["feed_dead_letters_total"]);
    const metrics = metricsOf(expr).filter((name) => !silent.has(name));
    const missing = (served: Served) => {
      const known = new Set(metrics.flatMap((name) => [...(served.get(name) ?? [])]));
      return metrics.length > 0 ? labelsOf(expr).filter((label) => !known.has(label)) : [];
    };
    await expect.poll(seenIn(missing), PATIENCE).toEqual([]);
  });
});

describe("The dashboard", () => {
  it("shows rate, errors and duration of every route, lag in seconds by partition, dead letters and freshness", async () => {
    const all = panels.map(([, expr]) => expr).join("\n");
    for (const name of [
      "http_requests_total",
      'status=~"5.."',
      "http_request_duration_seconds_bucket",
      "feed_consumer_lag_seconds",
      "feed_dead_letters_total",
      "feed_article_freshness_seconds_bucket",
    ])
      expect(all).toContain(name);
    const areLabelled = (served: Served) => [
      served.get("http_requests_total")?.has("route"),
      served.get("feed_consumer_lag_seconds")?.has("partition"),
    ];
    await expect.poll(seenIn(areLabelled), PATIENCE).toEqual([true, true]);
  });

  it("has every metric of the service on it", async () => {
    const shown = new Set(panels.flatMap(([, expr]) => metricsOf(expr)));
    const isShown = (family: string) => [...shown].some((name) => name.startsWith(family));
    const notShown = (served: Served) => {
      const families = [...served.keys()].map((name) => name.replace(/_(bucket|count|sum)$/, ""));
      return [...new Set(families)].filter((family) => !isShown(family));
    };
    await expect.poll(seenIn(notShown), PATIENCE).toEqual([]);
  });
});
