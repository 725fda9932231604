import { workerData } from "node:worker_threads";
import { articleOf, put } from "../conformance/articles.ts";
import { openEmbeddedContentIndex } from "../embedded.ts";
import type { EmbeddedContentIndexOptions } from "../embedded.ts";

/** Another thread of a test: writes one article and ends. */
await using index = await openEmbeddedContentIndex(workerData as EmbeddedContentIndexOptions);
await index.apply([put(articleOf("written"), 1)], new Map());
