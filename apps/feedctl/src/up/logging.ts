import { createLogger, type Logger, type LogLevel } from "@feed/runtime";

/** Logs go to standard error: standard output is for what a person asked for. */
export function roleLogger(service: string, level: LogLevel): Logger {
  return createLogger({ service, level, destination: process.stderr });
}

/** A directory goes on past a record it can't read; an operator has to know. */
export function unreadable(log: Logger): (offset: number, reason: unknown) => void {
  return (offset, reason) => log.error({ offset, err: reason }, "unreadable record in tenants");
}
