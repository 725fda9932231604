import type { EventLog, NewRecord } from "@feed/event-log";
import { activeTraceparent, inSpan, traceparentOf } from "@feed/runtime/traces";

/** A log whose records carry the trace in which they are appended, so that it goes on where they are read. */
export function tracedLog(log: EventLog): EventLog {
  return {
    append: (records) =>
      activeTraceparent() === undefined ? log.append(records) : append(records),
    read: (...page) => log.read(...page),
    endOffsets: (topic) => log.endOffsets(topic),
    consume: (options) => log.consume(options),
    follow: (options) => log.follow(options),
    committed: (group, topic) => log.committed(group, topic),
    resetOffsets: (group, topic, offsets) => log.resetOffsets(group, topic, offsets),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };

  function append(records: readonly NewRecord[]) {
    const topics = [...new Set(records.map(({ topic }) => topic))].join(" ");
    const attributes = { "feed.topic": topics, "feed.records": records.length };
    return inSpan(`append ${topics}`, { kind: "PRODUCER", attributes }, (span) => {
      const traceparent = traceparentOf(span);
      return log.append(records.map((record) => ({ ...record, traceparent })));
    });
  }
}
