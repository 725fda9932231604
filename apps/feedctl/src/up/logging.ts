import { createLogger, type Logger, type LogLevel } from "@feed/runtime";

/** Logs go to standard error: standard output is for what a person asked for. */
export function roleLogger(service: string, level: LogLevel): Logger {
  return createLogger({ service, level, destination: process.stderr });
}
