import { loadGazetteer } from "@feed/areas";
import type { Article } from "@feed/domain/article";
import type { ContentFact } from "@feed/domain/facts";
import { TOPICS } from "@feed/domain/topics";
import { openHashedEmbedder } from "@feed/embedder/hashed";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import type { EventLog } from "@feed/event-log";
import type { ObjectStore } from "@feed/object-store";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { createLogger } from "@feed/runtime";
import { manualClock, temporaryDirectory } from "@feed/test-kit";
import type { ManualClock } from "@feed/test-kit";
import type { IngestDependencies } from "./ingest/dependencies.ts";
import { openLmdbCrawlState } from "./state/lmdb-crawl-state.ts";

/** Real engines in a directory of their own: a log, an object store, a crawl state, an embedder. */
export interface Installation extends AsyncDisposable {
  /** A directory for what else a test keeps. */
  readonly path: string;
  readonly deps: IngestDependencies;
  readonly clock: ManualClock;
  readonly eventLog: EventLog;
  readonly objectStore: ObjectStore;
  /** Every fact of `contents`, by partition. */
  facts(): Promise<readonly ContentFact[]>;
  /** The latest of each article that is not withdrawn. */
  articles(): Promise<readonly Article[]>;
  /** The same installation after its crawl state was lost. */
  withoutState(): IngestDependencies;
}

const codec = createFactCodec(openBundledRegistry());
const gazetteer = await loadGazetteer();

export async function openInstallation(nowMs: number): Promise<Installation> {
  const directory = await temporaryDirectory();
  const clock = manualClock(nowMs);
  const eventLog = await openEmbeddedEventLog({ directory: `${directory.path}/log` });
  const objectStore = await openEmbeddedObjectStore({
    directory: `${directory.path}/objects`,
    keyring: { signPath: () => "" } as never,
    clock,
    baseUrl: () => "https://feed.example",
  });
  const embedder = await openHashedEmbedder();
  const log = createLogger({ service: "test", level: "silent" });
  const state = openLmdbCrawlState(`${directory.path}/crawl`);
  const states = [state];
  const withState = (state: IngestDependencies["state"]): IngestDependencies => ({
    eventLog,
    codec,
    embedder,
    objectStore,
    gazetteer,
    state,
    clock,
    log,
  });
  const facts = async (): Promise<readonly ContentFact[]> => {
    const all: ContentFact[] = [];
    for (let partition = 0; partition < TOPICS.contents.partitions; partition += 1) {
      const { records } = await eventLog.read("contents", partition, 0, 10_000);
      for (const { value } of records)
        if (value !== null) all.push(codec.decode(value) as ContentFact);
    }
    return all;
  };
  return {
    path: `${directory.path}/more`,
    deps: withState(state),
    clock,
    eventLog,
    objectStore,
    facts,
    async articles() {
      const latest = new Map<string, Article>();
      for (const fact of await facts()) {
        if (fact.type === "article.published") latest.set(fact.article.contentId, fact.article);
        else latest.delete(fact.contentId);
      }
      return [...latest.values()];
    },
    withoutState() {
      const fresh = openLmdbCrawlState(`${directory.path}/crawl-${states.length}`);
      states.push(fresh);
      return withState(fresh);
    },
    async [Symbol.asyncDispose]() {
      for (const each of states) await each[Symbol.asyncDispose]();
      await embedder[Symbol.asyncDispose]();
      await objectStore[Symbol.asyncDispose]();
      await eventLog[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
