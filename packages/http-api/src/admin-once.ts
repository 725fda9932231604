import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { seal, unseal } from "@feed/personal-data/sealing";
import type { ApiContext } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { answerOnce } from "./idempotency.ts";

/** No tenant's id has dots alone: what concerns the installation is kept under it. */
const INSTALLATION = asId<TenantId>("..");
const CREATED = 201;

interface OnceOptions {
  /** The Idempotency-Key; undefined: it is made each time. */
  readonly key: string | undefined;
  /** Null: it concerns the installation. */
  readonly tenantId: TenantId | null;
  /** What makes two requests the same, beside their address. */
  readonly request: unknown;
}

/**
 * Makes something once for its Idempotency-Key, of one caller, and answers 201 with it. The answer may hold a secret that is
 * shown once: it is kept sealed.
 *
 * @throws Problem 422 for another request with the same key, 409 while the first still runs; what `make` throws.
 */
export async function respondCreated(
  ctx: ApiContext,
  deps: HttpApiDependencies,
  { key, tenantId, request }: OnceOptions,
  make: () => Promise<object>,
): Promise<void> {
  const { caller } = ctx.state;
  const actor = caller.kind === "admin" ? caller.actor : "";
  const { peopleKey } = deps.keyring;
  const context = `created:${actor}`;
  const { readState, clock, log } = deps;
  const answer = await answerOnce(
    {
      readState,
      clock,
      log,
      tenantId: tenantId ?? INSTALLATION,
      key: key === undefined ? undefined : `admin:${actor}:${key}`,
      fingerprint: [ctx.path, JSON.stringify(request)],
    },
    async () => {
      const data = JSON.stringify({ data: await make() });
      const body = Buffer.from(seal(peopleKey, context, data)).toString("base64");
      return { status: CREATED, body, headers: {} };
    },
  );
  if (answer.replayed) ctx.set("Idempotent-Replayed", "true");
  ctx.status = answer.status;
  const body = unseal(peopleKey, context, Buffer.from(answer.body, "base64"));
  ctx.body = JSON.parse(body.toString("utf8"));
}
