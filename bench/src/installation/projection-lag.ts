import type { Topic } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";
import { openLog } from "@feed/engines";
import type { EngineUrls } from "@feed/engines";
import { projectionLag } from "@feed/projector";
import { waitFor } from "@feed/test-kit";

/** Consumer groups of the read models, by topic. */
const GROUPS = {
  users: ["projector.read-state.users", "projector.activity-store.users"],
  contents: ["projector.content-index", "projector.activity-store.contents"],
  deliveries: ["projector.read-state.deliveries", "projector.activity-store.deliveries"],
} as const satisfies Partial<Record<Topic, readonly string[]>>;
type WatchedTopic = keyof typeof GROUPS;

const CAUGHT_UP_TIMEOUT_MS = 1_800_000;

/** How far the read models of a running installation are behind, seen as an operator does: by group. */
export class LagWatch implements AsyncDisposable {
  readonly #eventLog: EventLog;

  private constructor(eventLog: EventLog) {
    this.#eventLog = eventLog;
  }

  static async open(dataDirectory: string, engines: EngineUrls = {}): Promise<LagWatch> {
    const { eventLog } = await openLog({ dataDirectory, engines });
    return new LagWatch(eventLog);
  }

  /** Records of the topic that its slowest read model has not projected yet. */
  async lag(topic: WatchedTopic): Promise<number> {
    const lags = GROUPS[topic].map(async (group) =>
      projectionLag(this.#eventLog, topic, await this.#eventLog.committed(group, topic)),
    );
    return Math.max(...(await Promise.all(lags)));
  }

  /** One offset past the last record of each partition. */
  ends(topic: WatchedTopic): Promise<readonly number[]> {
    return this.#eventLog.endOffsets(topic);
  }

  async untilCaughtUp(topic: WatchedTopic): Promise<void> {
    await waitFor(async () => (await this.lag(topic)) === 0, { timeoutMs: CAUGHT_UP_TIMEOUT_MS });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#eventLog[Symbol.asyncDispose]();
  }
}
