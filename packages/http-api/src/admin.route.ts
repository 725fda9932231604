import { adminAuditRoutes } from "./admin-audit.route.ts";
import { adminCatalogueRoutes } from "./admin-catalogue.route.ts";
import { adminContentsRoutes } from "./admin-contents.route.ts";
import { adminExperimentsRoutes } from "./admin-experiments.route.ts";
import { adminKeysRoutes } from "./admin-keys.route.ts";
import { adminOpenIdRoutes } from "./admin-openid.route.ts";
import { adminOperationsRoutes } from "./admin-operations.route.ts";
import { adminPeopleRoutes } from "./admin-people.route.ts";
import { adminPreviewRoutes } from "./admin-preview.route.ts";
import { adminPushRoutes } from "./admin-push.route.ts";
import { adminScenarioPreviewRoutes } from "./admin-scenario-preview.route.ts";
import { adminScenariosRoutes } from "./admin-scenarios.route.ts";
import { adminSessionRoutes, type PeopleParts } from "./admin-session.route.ts";
import { adminSourcesRoutes } from "./admin-sources.route.ts";
import { adminTenantsRoutes } from "./admin-tenants.route.ts";
import { adminUsageRoutes } from "./admin-usage.route.ts";
import { adminUsersRoutes } from "./admin-users.route.ts";
import { adminWebhooksRoutes } from "./admin-webhooks.route.ts";
import type { ApiRouter } from "./api-context.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import type { OpenIdSignIn } from "./people/openid-sign-in.ts";
import type { RequestReader } from "./route-tools.ts";
import type { RequestValidation } from "./validation.ts";

/** `/admin/v1`: an installation and its tenants, for people who have signed in and for the admin token. */
export function adminRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
  parts: PeopleParts & {
    readonly openId: OpenIdSignIn | undefined;
    readonly validation: RequestValidation;
    readonly metrics: HttpMetrics;
  },
): void {
  adminSessionRoutes(router, reader, deps, parts);
  adminOpenIdRoutes(router, parts);
  adminPeopleRoutes(router, reader, deps, parts);
  adminTenantsRoutes(router, reader, deps);
  adminKeysRoutes(router, reader, deps);
  adminScenariosRoutes(router, reader, deps);
  adminScenarioPreviewRoutes(router, reader, deps);
  adminExperimentsRoutes(router, reader, deps);
  adminCatalogueRoutes(router, reader, deps);
  adminContentsRoutes(router, reader, deps);
  adminUsageRoutes(router, reader, deps);
  adminUsersRoutes(router, reader, deps, parts);
  adminPreviewRoutes(router, reader, deps);
  adminPushRoutes(router, reader, deps);
  adminWebhooksRoutes(router, reader, deps);
  adminSourcesRoutes(router, reader, deps);
  adminOperationsRoutes(router, reader, deps);
  adminAuditRoutes(router, reader, deps, parts);
}
