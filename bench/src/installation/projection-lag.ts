import type { Topic } from "@feed/domain/topics";
import type { EventLog } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { installationPaths } from "@feed/engines";
import { projectionLag } from "@feed/projector";
import { waitFor } from "@feed/test-kit";

/** Consumer groups of the read models, by topic. */
const GROUPS = {
  users: ["projector.read-state.users", "projector.activity-store.users"],
  contents: ["projector.content-index", "projector.activity-store.contents"],
  deliveries: ["projector.read-state.deliveries", "projector.activity-store.deliveries"],
} as const satisfies Partial<Record<Topic, readonly string[]>>;
type WatchedTopic = keyof typeof GROUPS;

const CAUGHT_UP_TIMEOUT_MS = 300_000;

/** How far the read models of a running installation are behind, seen as an operator does: by group. */
export class LagWatch implements AsyncDisposable {
  readonly #eventLog: EventLog;

  private constructor(eventLog: EventLog) {
    this.#eventLog = eventLog;
  }

  static async open(dataDirectory: string): Promise<LagWatch> {
    const directory = installationPaths(dataDirectory).eventLog;
    return new LagWatch(await openEmbeddedEventLog({ directory }));
  }

  /** Records of the topic that its slowest read model has not projected yet. */
  async lag(topic: WatchedTopic): Promise<number> {
    const lags = GROUPS[topic].map(async (group) =>
      projectionLag(this.#eventLog, topic, await this.#eventLog.committed(group, topic)),
    );
    return Math.max(...(await Promise.all(lags)));
  }

  async untilCaughtUp(topic: WatchedTopic): Promise<void> {
    await waitFor(async () => (await this.lag(topic)) === 0, { timeoutMs: CAUGHT_UP_TIMEOUT_MS });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#eventLog[Symbol.asyncDispose]();
  }
}
