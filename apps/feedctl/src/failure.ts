/** Errors whose message says all an operator needs: the place or the setting to look at. */
const EXPLAINED = new Set([
  "ConfigError",
  "LogUnavailable",
  "ReadStateUnavailable",
  "ContentIndexUnavailable",
  "ActivityStoreUnavailable",
  "ObjectStoreUnavailable",
  "EmbedderRejected",
  "EmbedderUnavailable",
  "RootSecretUnusable",
  "ImportRefused",
  "NoFeedFound",
]);
const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the address is in use",
  EADDRNOTAVAIL: "the address is not one of this machine",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  ENOSPC: "no space left on device",
  EROFS: "the file system is read-only",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  Z_BUF_ERROR: "the compressed file ends too early",
  Z_DATA_ERROR: "the compressed file is damaged",
  EEXIST: "there is a file where a directory should be",
};

/** Prints why a command failed, in one line where the reason is known, and says the exit code. */
export function reportFailure(error: unknown): number {
  console.error(`feedctl: ${explain(error)}`);
  return 1;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (EXPLAINED.has(error.name)) return error.message;
  const reason = "code" in error ? SYSTEM_ERRORS[String(error.code)] : undefined;
  if (reason === undefined) return error.stack ?? error.message;
  const { path, address, port } = error as { path?: string; address?: string; port?: number };
  const place = path ?? (address === undefined ? undefined : `${address}:${port}`);
  return place === undefined ? reason : `${place}: ${reason}`;
}
