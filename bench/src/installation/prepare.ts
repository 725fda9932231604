import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCore, openEmbedder } from "@feed/engines";
import type { Core, InstallationConfig } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { step } from "../progress.ts";
import type { Sizes } from "../settings.ts";
import { appendBehaviour, appendDeliveries } from "./append-activity.ts";
import { appendArticles, appendDirectory } from "./append-articles.ts";
import { directoryFacts } from "./directory-facts.ts";

/** Goes up with whatever changes the facts that are made; older logs are left to the temporary folder's cleaning. */
const GENERATOR_VERSION = 1;
/** Articles must stay as fresh as a live installation's; after that the log is made anew. */
const CACHE_AGE_MS_MAX = 5 * 24 * 3_600_000;
export const EMBEDDER = "hashed:256";

/** An installation that nobody has started yet: a log and the secret it is sealed under. */
export interface Prepared extends AsyncDisposable {
  readonly dataDirectory: string;
  readonly apiKey: string;
}

interface CacheEntry {
  readonly apiKey: string;
  readonly madeAtMs: number;
}

/** A copy of an installation whose log holds the tenant, the sources and the articles. */
export function prepareArticles({ articles }: Sizes): Promise<Prepared> {
  return prepare(`articles-${articles}`, async (core, nowMs) => {
    await using embedder = await openEmbedder({ dataDirectory: "", embedder: EMBEDDER });
    await appendArticles(core, embedder, { count: articles, nowMs });
  });
}

/** A copy of an installation whose log also holds behaviour and deliveries. */
export function prepareActivity(sizes: Sizes): Promise<Prepared> {
  const { rebuildUserEvents, rebuildDeliveries, users, articles } = sizes;
  return prepare(`activity-${rebuildUserEvents}-${rebuildDeliveries}`, async (core, nowMs) => {
    const shared = { users, articles, nowMs };
    await appendBehaviour(core, { ...shared, count: rebuildUserEvents });
    await appendDeliveries(core, { ...shared, count: rebuildDeliveries });
  });
}

/** A copy of an installation whose log holds the articles, behaviour of readers, and deliveries to them. */
export function prepareReaders(sizes: Sizes): Promise<Prepared> {
  const { enginesUserEvents: events, enginesDeliveries: deliveries, users, articles } = sizes;
  return prepare(`readers-${articles}-${events}-${deliveries}`, async (core, nowMs) => {
    await using embedder = await openEmbedder({ dataDirectory: "", embedder: EMBEDDER });
    await appendArticles(core, embedder, { count: articles, nowMs });
    const shared = { users, articles, nowMs };
    await appendBehaviour(core, { ...shared, count: events });
    await appendDeliveries(core, { ...shared, count: deliveries });
  });
}

/** A copy of an installation whose log holds the articles of a push job's pool and every user's clicks. */
export function preparePush(sizes: Sizes): Promise<Prepared> {
  const { pushUsers: users, pushArticles: articles, pushClicksPerUser: clicks } = sizes;
  return prepare(`push-${users}-${clicks}-${articles}`, async (core, nowMs) => {
    await using embedder = await openEmbedder({ dataDirectory: "", embedder: EMBEDDER });
    await appendArticles(core, embedder, { count: articles, nowMs });
    const count = users * clicks;
    await appendBehaviour(core, { users, articles, nowMs, count, kinds: ["click"] });
  });
}

async function prepare(
  name: string,
  fill: (core: Core, nowMs: number) => Promise<void>,
): Promise<Prepared> {
  const cached = join(tmpdir(), "content-feed-bench", `${GENERATOR_VERSION}-${name}`);
  let entry = await readEntry(cached);
  if (entry === undefined || Date.now() - entry.madeAtMs > CACHE_AGE_MS_MAX) {
    entry = await step(`making the log ${name}, kept for later runs`, () => make(cached, fill));
  }
  const dataDirectory = await mkdtemp(join(tmpdir(), "content-feed-bench-"));
  await cp(join(cached, "data"), dataDirectory, { recursive: true });
  return {
    dataDirectory,
    apiKey: entry.apiKey,
    [Symbol.asyncDispose]: () => rm(dataDirectory, { recursive: true, force: true }),
  };
}

async function make(
  cached: string,
  fill: (core: Core, nowMs: number) => Promise<void>,
): Promise<CacheEntry> {
  const draft = `${cached}.${process.pid}`;
  const nowMs = Date.now();
  const { apiKey, facts } = directoryFacts(nowMs);
  await mkdir(join(draft, "data"), { recursive: true });
  const config: InstallationConfig = { dataDirectory: join(draft, "data"), embedder: EMBEDDER };
  {
    await using core = await openCore(config, systemClock);
    await appendDirectory(core, facts, nowMs);
    await fill(core, nowMs);
  }
  const entry: CacheEntry = { apiKey, madeAtMs: nowMs };
  await writeFile(join(draft, "entry.json"), JSON.stringify(entry));
  await rm(cached, { recursive: true, force: true });
  await rename(draft, cached);
  return entry;
}

async function readEntry(cached: string): Promise<CacheEntry | undefined> {
  const path = join(cached, "entry.json");
  return existsSync(path) ? (JSON.parse(await readFile(path, "utf8")) as CacheEntry) : undefined;
}
