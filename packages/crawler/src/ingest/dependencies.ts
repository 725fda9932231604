import type { AnalysisContext } from "@feed/article-analysis";
import type { ContentFact } from "@feed/domain/facts";
import type { Embedder } from "@feed/embedder";
import type { EventLog } from "@feed/event-log";
import type { ObjectStore } from "@feed/object-store";
import type { Clock, Logger } from "@feed/runtime";
import type { CrawlState } from "../state/crawl-state.ts";

/** Where articles come to rest and what they are worked out with. */
export interface IngestDependencies {
  readonly eventLog: Pick<EventLog, "append" | "read" | "endOffsets">;
  readonly codec: {
    encode(fact: ContentFact): Uint8Array;
    decode(bytes: Uint8Array): { readonly type: string };
  };
  readonly embedder: Pick<Embedder, "model" | "embed">;
  readonly objectStore: Pick<ObjectStore, "put" | "head">;
  readonly gazetteer: AnalysisContext["gazetteer"];
  readonly state: CrawlState;
  readonly clock: Clock;
  readonly log: Logger;
}
