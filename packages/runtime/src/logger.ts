import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

export type { Logger } from "pino";

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Names under which personal fields and secrets travel through the code and the HTTP interface. */
const NEVER_LOGGED = [
  "userId",
  "user_id",
  "sessionId",
  "session_id",
  "properties",
  "personal",
  "deviceInfo",
  "device_info",
  "metadata",
  "userAttributes",
  "user_attributes",
  "authorization",
  "apiKey",
  "api_key",
  "secret",
];

interface LoggerOptions {
  /** Name of the process, on every line. */
  readonly service: string;
  readonly level: LogLevel;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * A logger of JSON lines with RFC 3339 times.
 *
 * Personal fields and secrets are removed by name, on the first two levels of what is logged: a second line
 * of defence, for the first is not to log them (architecture rule 7). Messages are the caller's duty.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: NEVER_LOGGED.flatMap((name) => [name, `*.${name}`]), remove: true },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
