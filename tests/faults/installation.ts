import { openCore, openEmbedder } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { temporaryDirectory } from "@feed/test-kit";
import { appendArticles, appendDirectory } from "../../bench/src/installation/append-articles.ts";
import { directoryFacts } from "../../bench/src/installation/directory-facts.ts";

const EMBEDDER = "hashed:256";

export interface Installation extends AsyncDisposable {
  readonly dataDirectory: string;
  readonly apiKey: string;
}

/** An installation that was never started: its log holds a tenant, its key and scenario, sources and articles. */
export async function makeInstallation(articles: number): Promise<Installation> {
  const directory = await temporaryDirectory();
  const config = { dataDirectory: directory.path, embedder: EMBEDDER };
  const nowMs = systemClock.nowMs();
  const { apiKey, facts } = directoryFacts(nowMs);
  await using core = await openCore(config, systemClock);
  await using embedder = await openEmbedder(config);
  await appendDirectory(core, facts, nowMs);
  await appendArticles(core, embedder, { count: articles, nowMs });
  return {
    dataDirectory: directory.path,
    apiKey,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}
