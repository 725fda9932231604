import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Router } from "@koa/router";
import { ADDRESS_RATE_LIMIT_PER_SECOND } from "@feed/domain/limits";
import { newRequestId } from "@feed/runtime";
import Koa from "koa";
import { adminRoutes } from "./admin.route.ts";
import { createIdentifySession } from "./admin-access.ts";
import { isSecure } from "./admin-session.route.ts";
import type { PeopleParts } from "./admin-session.route.ts";
import { admission, LIMITED_PATH } from "./admission.ts";
import type { ApiMiddleware, ApiRouter, ApiState } from "./api-context.ts";
import { createIdentify } from "./authenticate.ts";
import { clientAddressOf } from "./client-address.ts";
import { contentsRoutes } from "./contents.route.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { directoryRoutes } from "./directory.route.ts";
import { docsRoutes } from "./docs.route.ts";
import { eventsRoutes } from "./events.route.ts";
import { feedRoutes } from "./feed.route.ts";
import { FixedWindow } from "./fixed-window.ts";
import { createHttpMetrics } from "./http-metrics.ts";
import { readOpenapiDocument } from "./openapi-document.ts";
import { createKeyUses } from "./key-uses.ts";
import { OpenIdSignIn } from "./people/openid-sign-in.ts";
import { PeopleDesk } from "./people/people-desk.ts";
import { SignIn } from "./people/sign-in.ts";
import { PROBLEM_MEDIA_TYPE, problems } from "./problem-middleware.ts";
import { problemDocument } from "./problem.ts";
import type { Problem } from "./problem.ts";
import { pushRoutes } from "./push.route.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { requestContext, wellFormed } from "./request-context.ts";
import { requestTrace } from "./request-trace.ts";
import { requestReader } from "./route-tools.ts";
import { createEdgeServer } from "./server-edge.ts";
import type { EdgeAnswer } from "./server-edge.ts";
import { serviceRoutes } from "./service.route.ts";
import { DRAIN_MS_MAX, IDLE_CHECK_MS } from "./settings.ts";
import { unmatched } from "./unmatched.ts";
import { usersRoutes } from "./users.route.ts";
import { compileValidation } from "./validation.ts";

/** The HTTP API of one process. Disposing stops taking requests and lets those in progress end. */
export interface HttpApi extends AsyncDisposable {
  readonly server: Server;
  /** Port 0: any free one. Rejects when the address can't be had. */
  listen(address: { readonly host: string; readonly port: number }): Promise<AddressInfo>;
  /** Where callers reach it: the configured base URL, else the address it listens on. */
  baseUrl(): string;
}

/**
 * Builds the API of spec sections 4.1 to 4.6 and the pages beside it; nothing listens yet.
 *
 * @throws RangeError for a trusted proxy that is no address, and when the OpenAPI document can't be
 *   compiled.
 */
export function createHttpApi(deps: HttpApiDependencies): HttpApi {
  const { settings, clock } = deps;
  const addresses = new FixedWindow();
  const addressOf = clientAddressOf(settings.trustedProxies);
  let listening = "http://localhost";
  let isClosing = false;
  const baseUrl = () => settings.baseUrl ?? listening;
  const problemBase = () => settings.problemBase ?? baseUrl();

  const app = createApp(deps, {
    addresses,
    addressOf,
    baseUrl,
    problemBase,
    isClosing: () => isClosing,
  });
  const handle = app.callback();
  const answer = (problem: Problem, path: string, address: string | undefined): EdgeAnswer => {
    const nowMs = clock.nowMs();
    const limitPerSecond = ADDRESS_RATE_LIMIT_PER_SECOND;
    const window = addresses.count(addressOf(address, undefined), limitPerSecond, nowMs);
    return {
      status: problem.status,
      headers: {
        "Content-Type": PROBLEM_MEDIA_TYPE,
        "X-Request-Id": newRequestId(clock),
        ...rateLimitHeaders({ ...window, policy: "address", limitPerSecond }, nowMs),
        "Cache-Control": "no-store",
      },
      body: JSON.stringify(problemDocument(problem, problemBase(), path)),
    };
  };
  const server = createEdgeServer({
    answer,
    onRequest: (request, response) => {
      if (isClosing) response.setHeader("Connection", "close");
      void handle(request, response);
    },
  });

  return {
    server,
    baseUrl,
    listen: async ({ host, port }) => {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      });
      const bound = server.address() as AddressInfo;
      const shown = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
      listening = `http://${shown}:${bound.port}`;
      return bound;
    },
    [Symbol.asyncDispose]: () => {
      isClosing = true;
      return drain(server);
    },
  };
}

interface AppOptions {
  readonly addresses: FixedWindow;
  readonly addressOf: ReturnType<typeof clientAddressOf>;
  readonly baseUrl: () => string;
  readonly problemBase: () => string;
  readonly isClosing: () => boolean;
}

function createApp(deps: HttpApiDependencies, options: AppOptions): Koa<ApiState> {
  const { log, clock, readState, directory, settings } = deps;
  const { addresses, addressOf, baseUrl, problemBase, isClosing } = options;
  const metrics = createHttpMetrics(deps.metrics, log);
  const identify = createIdentify(directory, settings.adminToken);
  const noteUse = createKeyUses(directory, log);
  const people = new PeopleDesk(deps);
  const signIn = new SignIn({ people, directory, readState });
  const parts: PeopleParts = { people, signIn, addressOf, baseUrl };
  const provider = deps.openId;
  const openId = provider && new OpenIdSignIn({ ...deps, provider, signIn, baseUrl });
  const identifySession = createIdentifySession(signIn, () => isSecure(parts));

  const app = new Koa<ApiState>();
  app.on("error", (error: unknown) => log.error({ err: error }, "response failed"));
  app.use(requestTrace);
  app.use(requestContext(clock));
  app.use(metrics.middleware);
  app.use(problems({ problemBase, log }));
  // Before the mounts: every response carries the headers. Only /v1 and /admin are counted and refused, so
  // that readers of pictures and pages, many behind one address, never meet a caller's limit.
  app.use(admission({ readState, identify, identifySession, noteUse, addressOf, addresses, log }));
  app.use(wellFormed);
  for (const mount of deps.mounts) app.use(mount);
  app.use(routes(deps, { metrics, problemBase, isClosing, parts, openId }));
  app.use(unmatched);
  return app;
}

interface RoutesOptions extends Pick<AppOptions, "problemBase" | "isClosing"> {
  readonly metrics: ReturnType<typeof createHttpMetrics>;
  readonly parts: PeopleParts;
  readonly openId: OpenIdSignIn | undefined;
}

function routes(deps: HttpApiDependencies, options: RoutesOptions): ApiMiddleware {
  const { metrics, problemBase, isClosing, parts, openId } = options;
  const document = readOpenapiDocument();
  const validation = compileValidation(document);
  const reader = requestReader(validation);
  // Sensitive and strict: /V1/users/x and /v1/users/x/ are other paths.
  const router = new Router<ApiState>({ sensitive: true, strict: true });
  feedRoutes(router, reader, deps);
  contentsRoutes(router, reader, deps);
  usersRoutes(router, reader, deps, metrics);
  eventsRoutes(router, deps, { reader, validation, metrics, problemBase });
  pushRoutes(router, deps, { reader, validation });
  directoryRoutes(router, reader, deps);
  adminRoutes(router, reader, deps, { ...parts, openId, validation, metrics });
  docsRoutes(router, problemBase);
  serviceRoutes(router, { document, metrics: deps.metrics, parts: deps.parts, isClosing });
  withoutHead(router);
  return router.routes() as unknown as ApiMiddleware;
}

/**
 * Takes the HEAD away that the router adds to every GET: the API has the methods of its document alone, and
 * a HEAD would rank and charge a whole page for nothing. Pages and probes keep it.
 */
function withoutHead(router: ApiRouter): void {
  for (const layer of router.stack) {
    if (!LIMITED_PATH.test(layer.path.toString())) continue;
    layer.methods = layer.methods.filter((method) => method !== "HEAD");
  }
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
    // A connection whose last answer is given later than this would be kept open for the next request.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close(() => {
      clearTimeout(force);
      clearInterval(idle);
      resolve();
    });
  });
}
