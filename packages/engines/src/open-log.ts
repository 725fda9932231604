import { openBundledRegistry, type SchemaRegistry } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import type { Logger } from "@feed/runtime";
import type { InstallationConfig } from "./core.ts";
import { learningLog } from "./learning-log.ts";
import { installationPaths } from "./paths.ts";
import { tracedLog } from "./traced-log.ts";

/** The process goes on: what had not been written was refused, and the next append starts another thread. */
export const WRITER_FAILED =
  "the thread that writes the event log has failed: what it had not written was refused, and another takes its place";

/** The log of an installation and what the schema ids of its records mean. */
export interface OpenLog {
  readonly eventLog: EventLog;
  readonly registry: SchemaRegistry;
}

/**
 * `log` is told what consumers of a cluster's log wait out, which upkeep of an embedded one failed, and of a writer that
 * failed.
 */
export async function openLog(
  {
    dataDirectory,
    engines = {},
    logWriter,
    engineAnswerTimeoutMs: timeoutMs,
  }: Pick<InstallationConfig, "dataDirectory" | "engines" | "logWriter" | "engineAnswerTimeoutMs">,
  log?: Pick<Logger, "warn" | "error">,
): Promise<OpenLog> {
  if (engines.eventLog === undefined || engines.schemaRegistry === undefined) {
    const eventLog = await openEmbeddedEventLog({
      directory: installationPaths(dataDirectory).eventLog,
      ...(logWriter !== undefined && { door: logWriter }),
      onTrouble: (error) => log?.warn({ err: error }, "upkeep of the event log failed"),
      onWriterFailed: (reason) => log?.error({ err: reason }, WRITER_FAILED),
    });
    return { eventLog: tracedLog(eventLog), registry: openBundledRegistry() };
  }
  const { openKafkaEventLog, parseKafkaUrl } = await import("@feed/event-log/kafka");
  const { openConfluentRegistry } = await import("@feed/event-codec/confluent");
  const settings = parseKafkaUrl(engines.eventLog);
  const registry = await openConfluentRegistry({
    url: engines.schemaRegistry,
    subjectPrefix: settings.prefix,
  });
  const eventLog = await openKafkaEventLog({
    ...settings,
    ...(timeoutMs !== undefined && { answerTimeoutMs: timeoutMs, appendTimeoutMs: timeoutMs }),
    onTrouble: (error) => log?.warn({ err: error }, "reading the event log waits"),
  });
  return { eventLog: tracedLog(learningLog(eventLog, registry)), registry };
}
