import { CommanderError } from "commander";

/** Errors whose message says all an operator needs: the place or the setting to look at. */
const EXPLAINED = new Set([
  "ConfigError",
  "DataDirectoryUnusable",
  "LogUnavailable",
  "ReadStateUnavailable",
  "ContentIndexUnavailable",
  "ActivityStoreUnavailable",
  "ActivityStoreRejected",
  "ObjectStoreUnavailable",
  "EmbedderRejected",
  "EmbedderUnavailable",
  "RootSecretUnusable",
  "SchemaRegistryUnavailable",
  "ImportRefused",
  "NoFeedFound",
  "RoleFailed",
  "OperationFailed",
  "RebuildFailed",
  "TargetRefused",
]);
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use",
  EADDRNOTAVAIL: "the address is not one of this machine",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOSPC: "no space left on device",
  EFBIG: "a file is as large as it may be",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  Z_BUF_ERROR: "the compressed file ends too early",
  Z_DATA_ERROR: "the compressed file is damaged",
  EEXIST: "there is a file where a directory should be",
};

/** A command that looks after an installation could not do its work: it ends with 2, because 1 says what it found. */
export class OperationFailed extends Error {
  override readonly name = "OperationFailed";
}

const NOT_DONE = 2;

/** Prints why a command failed, in one line where the reason is known, and says the exit code. */
export function reportFailure(error: unknown): number {
  // Commander has printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : NOT_DONE;
  console.error(`feedctl: ${explain(error)}`);
  return error instanceof OperationFailed ? NOT_DONE : 1;
}

/** An error as one line: its message where that says all, else with the place in the code that it comes from. */
export function inOneLine(error: unknown): string {
  const text = isUnexplained(error) ? firstLines(error.stack ?? error.message) : explain(error);
  return text.replaceAll(/\s*\n\s*/g, " ");
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What failed first, not what could not be closed because of it.
  if (error instanceof SuppressedError) return explain(error.suppressed);
  if (EXPLAINED.has(error.name)) return error.message;
  const reason = systemReason(error);
  if (reason === undefined) return error.stack ?? error.message;
  const { path, address, port } = error as { path?: string; address?: string; port?: number };
  const place = path ?? (address === undefined ? undefined : `${address}:${port}`);
  return place === undefined ? reason : `${place}: ${reason}`;
}

function isUnexplained(error: unknown): error is Error {
  return error instanceof Error && !EXPLAINED.has(error.name) && systemReason(error) === undefined;
}

function systemReason(error: Error): string | undefined {
  return "code" in error ? SYSTEM_ERRORS[String(error.code)] : undefined;
}

/** Of a stack: the message and the call it comes from. */
function firstLines(stack: string): string {
  const lines = stack.split("\n");
  const firstCall = lines.findIndex((line) => /^\s+at /.test(line));
  return lines.slice(0, firstCall === -1 ? lines.length : firstCall + 1).join("\n");
}
