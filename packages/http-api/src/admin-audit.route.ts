import { Readable } from "node:stream";
import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { requireAccess, requireSignedIn } from "./admin-access.ts";
import type { PeopleParts } from "./admin-session.route.ts";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import type { AuditEntry } from "./audit/audit-entry.ts";
import { auditSteps, type AuditFilter } from "./audit/audit-log.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { openNameCursor, sealNameCursor } from "./list-cursor.ts";
import type { AuditAnswer, AuditEntry as AuditEntryShown } from "./openapi.generated.ts";
import { isoTime } from "./present-time.ts";
import type { RequestReader } from "./route-tools.ts";
import type { Parameters } from "./validation.ts";

/** Records one request looks at: a rare kind is found over several pages, each of which says where to go on. */
const SCANNED_PER_PAGE_MAX = 20_000;
const NDJSON = "application/x-ndjson; charset=utf-8";

/** `/admin/v1/audit`: who changed what, and when. */
export function adminAuditRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
  parts: PeopleParts,
): void {
  const show = (entry: AuditEntry) => presentEntry(entry, deps, parts);

  router.get("/admin/v1/audit", async (ctx) => {
    requireSignedIn(ctx);
    const { limit, cursor, ...asked } = reader.parameters("adminListAudit", ctx);
    const filter = filterOf(ctx, asked);
    const before =
      cursor === undefined ? undefined : Number(openNameCursor(deps.keyring, "audit", cursor));
    const data: AuditEntryShown[] = [];
    let scanned = 0;
    let next: number | null = null;
    for await (const { offset, entry } of auditSteps(deps, filter, before)) {
      scanned += 1;
      if (entry !== undefined) data.push(show(entry));
      if (data.length < limit && scanned < SCANNED_PER_PAGE_MAX) continue;
      next = offset === 0 ? null : offset;
      break;
    }
    const next_cursor = next === null ? null : sealNameCursor(deps.keyring, "audit", `${next}`);
    const body: AuditAnswer = { data, meta: { next_cursor } };
    ctx.body = body;
  });

  router.get("/admin/v1/audit/export", (ctx) => {
    requireSignedIn(ctx);
    const filter = filterOf(ctx, reader.parameters("adminExportAudit", ctx));
    ctx.type = NDJSON;
    ctx.body = Readable.from(lines(filter));
  });

  async function* lines(filter: AuditFilter): AsyncGenerator<string> {
    for await (const { entry } of auditSteps(deps, filter)) {
      if (entry !== undefined) yield `${JSON.stringify(show(entry))}\n`;
    }
  }
}

/** What of it the caller may see: people of a tenant their tenant's alone. @throws Problem 404. */
function filterOf(ctx: ApiContext, asked: Parameters["adminExportAudit"]): AuditFilter {
  const own = requireSignedIn(ctx).tenantId;
  const given = asked.tenant_id === undefined ? null : asId<TenantId>(asked.tenant_id);
  const tenantId = given ?? own;
  if (tenantId !== null) requireAccess(ctx, "read", tenantId);
  return {
    tenantId,
    actor: asked.actor,
    kind: asked.kind,
    fromMs: asked.from === undefined ? -Infinity : Date.parse(asked.from),
    toMs: asked.to === undefined ? Infinity : Date.parse(asked.to),
  };
}

function presentEntry(
  { offset, atMs, actor, kind, tenantId, subject, details }: AuditEntry,
  { directory }: HttpApiDependencies,
  { people }: PeopleParts,
): AuditEntryShown {
  const person = directory.personOfRecord(actor);
  return {
    entry_id: `${offset}`,
    at: isoTime(atMs),
    actor,
    actor_email: person === undefined ? null : people.profile(person).email,
    kind,
    tenant_id: tenantId,
    subject,
    details,
  };
}
