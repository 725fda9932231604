import { KEY_OVERLAP_HOURS_DEFAULT } from "@feed/domain/limits";
import type { ApiKey } from "@feed/domain/tenant";
import type { TenantDirectory } from "@feed/tenant-directory";
import { issueApiKey } from "@feed/tenant-directory";
import { requireTenantAccess, stampOf } from "./admin-access.ts";
import { checkExpiry } from "./admin-checks.ts";
import { respondCreated } from "./admin-once.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { presentKey } from "./present-tenant.ts";
import { notFound, Problem } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

const HOUR_MS = 3_600_000;

/** `/admin/v1/tenants/{tenant_id}/keys`: each key is shown in the answer that made it, and nowhere else. */
export function adminKeysRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { directory } = deps;
  const path = "/admin/v1/tenants/:tenant_id/keys";

  router.get(path, (ctx) => {
    const { tenant_id } = reader.parameters("adminListKeys", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "read", tenant_id);
    ctx.body = { data: directory.apiKeys(tenantId).map((key) => presentKey(key, directory)) };
  });

  router.post(path, async (ctx) => {
    const { tenant_id, "Idempotency-Key": onceKey } = reader.parameters("adminIssueKey", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const written = await reader.body("adminIssueKey", ctx);
    const { scopes, kind, name, expires_at } = written;
    const expiresAtMs = typeof expires_at === "string" ? Date.parse(expires_at) : null;
    checkExpiry(expiresAtMs, ctx.state.receivedAtMs);
    await respondCreated(ctx, deps, { key: onceKey, tenantId, request: written }, async () => {
      const { secret, key } = issueApiKey(tenantId, {
        ...(scopes !== undefined && { scopes }),
        ...(kind !== undefined && { kind }),
        ...(name !== undefined && { name }),
        expiresAtMs,
      });
      await directory.change([{ type: "api-key.issued", key, ...stampOf(ctx) }]);
      return { api_key: secret, ...presentKey(key, directory) };
    });
  });

  router.post(`${path}/:key_id/rotate`, async (ctx) => {
    const parameters = reader.parameters("adminRotateKey", ctx);
    const { tenant_id, key_id, "Idempotency-Key": onceKey } = parameters;
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    const written = await reader.body("adminRotateKey", ctx);
    const overlapMs = (written.overlap_hours ?? KEY_OVERLAP_HOURS_DEFAULT) * HOUR_MS;
    await respondCreated(ctx, deps, { key: onceKey, tenantId, request: written }, async () => {
      const former = knownKey(directory.apiKeys(tenantId), key_id);
      const { secret, key } = await rotate(former, overlapMs, ctx, deps);
      return { api_key: secret, ...presentKey(key, directory) };
    });
  });

  router.delete(`${path}/:key_id`, async (ctx) => {
    const { tenant_id, key_id: keyId } = reader.parameters("adminRevokeKey", ctx);
    const { tenantId } = requireTenantAccess(ctx, deps, "settings", tenant_id);
    knownKey(directory.apiKeys(tenantId), keyId);
    await directory.change([{ type: "api-key.revoked", tenantId, keyId, ...stampOf(ctx) }]);
    ctx.status = 204;
  });
}

async function rotate(
  former: ApiKey,
  overlapMs: number,
  ctx: ApiContext,
  { directory }: HttpApiDependencies,
) {
  const { tenantId, keyId, scopes, kind, name } = former;
  const stamp = stampOf(ctx);
  if (former.expiresAtMs !== null && former.expiresAtMs <= stamp.atMs)
    throw new Problem("conflict", "The key has expired; issue another.");
  const issued = issueApiKey(tenantId, { scopes, kind, name });
  // Never longer than it would have worked.
  const endsAtMs = stamp.atMs + overlapMs;
  const expiresAtMs = Math.min(endsAtMs, former.expiresAtMs ?? endsAtMs);
  await directory.change([
    { type: "api-key.issued", key: issued.key, ...stamp },
    { type: "api-key.expiry-set", tenantId, keyId, expiresAtMs, ...stamp },
  ]);
  return issued;
}

function knownKey(keys: ReturnType<TenantDirectory["apiKeys"]>, keyId: string): ApiKey {
  const key = keys.find((one) => one.keyId === keyId);
  if (key === undefined) throw notFound("key");
  return key;
}
