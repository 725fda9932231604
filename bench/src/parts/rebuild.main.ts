import type { Topic } from "@feed/domain/topics";
import {
  openActivityStore,
  openContentIndex,
  openCore,
  openEmbedder,
  openReadState,
  startActivityEngine,
} from "@feed/engines";
import type { Core } from "@feed/engines";
import { runProjector } from "@feed/projector";
import { createLogger, systemClock } from "@feed/runtime";
import { EMBEDDER } from "../installation/prepare.ts";

/** How long one read model took for one topic. */
export interface RebuildReport {
  readonly projection: string;
  readonly events: number;
  /** From the start of the projector until the effects of the last event were visible. */
  readonly seconds: number;
}

/** Each projection and the topic it reads. */
const PROJECTIONS: readonly (readonly [string, Topic])[] = [
  ["content-index", "contents"],
  ["read-state.users", "users"],
  ["read-state.deliveries", "deliveries"],
  ["activity-store.users", "users"],
  ["activity-store.deliveries", "deliveries"],
  ["activity-store.contents", "contents"],
];

/** `node rebuild.main.ts DATA_DIRECTORY`: projects the whole log and prints a report of each projection. */
const config = { dataDirectory: process.argv[2] ?? "", embedder: EMBEDDER };
const log = createLogger({ service: "rebuild", level: "warn", destination: process.stderr });
await using core = await openCore(config, systemClock);
await using embedder = await openEmbedder(config);
await using engine = await startActivityEngine(config, (reason) => log.error({ reason }));
await using readState = await openReadState(config);
await using contentIndex = await openContentIndex(config, embedder, { writer: true });
await using activityStore = await openActivityStore(engine.endpoint);

const expected = await eventsOf(core);
const left = new Map(expected);
const seconds = new Map<string, number>();
const finished = Promise.withResolvers<void>();
const startMs = performance.now();
await using projector = await runProjector({
  ...core,
  readState,
  contentIndex: { index: contentIndex, embedder },
  activityStore,
  clock: systemClock,
  log,
  onBatch: ({ projection, events }) => {
    left.set(projection, (left.get(projection) ?? 0) - events);
    if (left.get(projection) === 0) seconds.set(projection, (performance.now() - startMs) / 1_000);
    if ([...left.values()].every((count) => count <= 0)) finished.resolve();
  },
});
await Promise.race([finished.promise, projector.failed]);
const reports = PROJECTIONS.map(([projection]): RebuildReport => {
  const events = expected.get(projection) ?? 0;
  return { projection, events, seconds: seconds.get(projection) ?? 0 };
});
console.log(JSON.stringify(reports));

async function eventsOf({ eventLog }: Core): Promise<ReadonlyMap<string, number>> {
  const counts = PROJECTIONS.map(async ([projection, topic]) => {
    const ends = await eventLog.endOffsets(topic);
    return [projection, ends.reduce((sum, end) => sum + end, 0)] as const;
  });
  return new Map(await Promise.all(counts));
}
