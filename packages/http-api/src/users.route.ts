import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { SourcePreferenceChange } from "@feed/domain/facts";
import type { UserState } from "@feed/domain/user";
import type { ApiRouter } from "./api-context.ts";
import { requireTenant } from "./authenticate.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import { presentUser } from "./present-user.ts";
import { notFound } from "./problem.ts";
import { asUserId } from "./route-tools.ts";
import type { RequestReader, RouteContext } from "./route-tools.ts";
import { UserChanges } from "./user-changes.ts";
import { usersPage } from "./user-list.ts";

type PreferenceOperation = "followSource" | "unfollowSource" | "blockSource" | "unblockSource";

/** Users and source preferences (spec 4.3). Free; a change can be read once it is answered. */
export function usersRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
  metrics: HttpMetrics,
): void {
  const changes = new UserChanges(deps, metrics);
  preferenceRoutes(router, reader, deps, changes);

  router.get("/v1/users", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "users");
    const { limit, cursor } = reader.parameters("listUsers", ctx);
    ctx.body = await usersPage(deps, tenantId, { limit, cursor });
  });

  router.get("/v1/users/:user_id", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "users");
    const { user_id } = reader.parameters("getUser", ctx);
    const user = await changes.find({ tenantId, userId: asUserId(user_id) });
    ctx.body = { data: presentUser(found(user)) };
  });

  router.put("/v1/users/:user_id", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "users");
    const { user_id } = reader.parameters("putUser", ctx);
    const { properties } = await reader.body("putUser", ctx);
    const name = { tenantId, userId: asUserId(user_id) };
    const { state, created } = await changes.replaceProperties(name, properties);
    ctx.status = created ? 201 : 200;
    ctx.body = { data: presentUser(state) };
  });

  router.patch("/v1/users/:user_id", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "users");
    const { user_id } = reader.parameters("patchUser", ctx);
    const { properties } = await reader.body("patchUser", ctx);
    const user = await changes.mergeProperties({ tenantId, userId: asUserId(user_id) }, properties);
    ctx.body = { data: presentUser(found(user)) };
  });

  router.delete("/v1/users/:user_id", async (ctx) => {
    const { tenantId } = requireTenant(ctx, "users");
    const { user_id } = reader.parameters("deleteUser", ctx);
    await changes.delete({ tenantId, userId: asUserId(user_id) });
    ctx.status = 204;
  });
}

function preferenceRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
  changes: UserChanges,
): void {
  const preference = (operation: PreferenceOperation, change: SourcePreferenceChange) => {
    return async (ctx: RouteContext) => {
      const { tenantId } = requireTenant(ctx, "users");
      const { user_id, source_id } = reader.parameters(operation, ctx);
      const sourceId = asId<SourceId>(source_id);
      if (deps.directory.source(sourceId) === undefined) throw notFound("source");
      const name = { tenantId, userId: asUserId(user_id) };
      found(await changes.changePreference(name, sourceId, change));
      ctx.status = 204;
    };
  };
  router.put("/v1/users/:user_id/sources/:source_id/follow", preference("followSource", "follow"));
  router.delete(
    "/v1/users/:user_id/sources/:source_id/follow",
    preference("unfollowSource", "unfollow"),
  );
  router.put("/v1/users/:user_id/sources/:source_id/block", preference("blockSource", "block"));
  router.delete(
    "/v1/users/:user_id/sources/:source_id/block",
    preference("unblockSource", "unblock"),
  );
}

function found(user: UserState | undefined): UserState {
  if (user === undefined) throw notFound("user");
  return user;
}
