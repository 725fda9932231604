import type { ApiKey } from "@feed/domain/tenant";
import type { Logger } from "@feed/runtime";
import type { TenantDirectory } from "@feed/tenant-directory";

const DAY_MS = 24 * 3_600_000;

/**
 * Records on which day (UTC) each key was last used: one fact a day and key, by whichever node sees it first. It happens
 * beside the request, which never waits for it; what fails is tried with the next one.
 */
export function createKeyUses(
  directory: Pick<TenantDirectory, "keyUsedAtMs" | "change">,
  log: Logger,
): (key: ApiKey, nowMs: number) => void {
  const noted = new Map<string, number>();
  return ({ tenantId, keyId }, nowMs) => {
    const day = Math.floor(nowMs / DAY_MS);
    if (noted.get(keyId) === day) return;
    noted.set(keyId, day);
    const usedAtMs = directory.keyUsedAtMs(tenantId, keyId);
    if (usedAtMs !== null && Math.floor(usedAtMs / DAY_MS) >= day) return;
    const used = { type: "api-key.used", tenantId, keyId, actor: "api", atMs: nowMs } as const;
    directory.change([used]).catch((error: unknown) => {
      noted.delete(keyId);
      log.warn({ err: error, keyId }, "the use of a key was not recorded");
    });
  };
}
