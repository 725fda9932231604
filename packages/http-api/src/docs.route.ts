import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import { STYLE_ADDRESS } from "./documentation/layout.ts";
import { escapeHtml, REFERENCE_ADDRESS } from "./documentation/markdown.ts";
import { createSite } from "./documentation/site.ts";
import { notFound } from "./problem.ts";
import { isProblemSlug, PROBLEM_TYPES } from "./problem-types.ts";
import type { ProblemSlug } from "./problem-types.ts";

/** Served from the installed package: nothing comes from another host. */
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const ASSETS = new Map([
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
]);
const STYLE_FILE = join(import.meta.dirname, "documentation/style.css");
const ASSET_SECONDS = 86_400;

const POLICY_BASE =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const REFERENCE_POLICY = [
  POLICY_BASE,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "style-src 'self'",
].join("; ");
const PAGE_POLICY = `${POLICY_BASE}; img-src 'self' data:; style-src 'self'`;
/** A drawing has its colours, light and dark, in itself. */
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Content Feed</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${REFERENCE_ADDRESS}/swagger-ui.css">
</head>
<body>
<p class="swagger-ui"><a class="link" href="/docs">Documentation</a></p>
<div id="docs"></div>
<script src="${REFERENCE_ADDRESS}/swagger-ui-bundle.js"></script>
<script src="${REFERENCE_ADDRESS}/start.js"></script>
</body>
</html>
`;
const START_SCRIPT = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
});
`;

/**
 * `/docs`, the pages of the `docs` folder; `/docs/api`, the reference; and a page for every problem type at
 * `/probs/{slug}` (decisions, "HTTP in general").
 */
export function docsRoutes(router: ApiRouter, problemBase: () => string): void {
  const site = createSite();
  referenceRoutes(router);
  router.get(STYLE_ADDRESS, async (ctx) => {
    asset(ctx, await readFile(STYLE_FILE), "text/css; charset=utf-8");
  });
  router.get(["/docs", "/docs/*path"], async (ctx) => {
    const { page: pageAt, asset: assetAt } = await site();
    const html = pageAt(ctx.path);
    if (html !== undefined) return page(ctx, html, PAGE_POLICY);
    const found = await assetAt(ctx.path);
    if (found === undefined) throw notFound("page");
    ctx.set("Content-Security-Policy", DRAWING_POLICY);
    asset(ctx, found.content, found.type);
  });

  router.get("/probs/:slug", async (ctx) => {
    const slug = String(ctx.params["slug"]);
    if (!isProblemSlug(slug)) throw notFound("problem type");
    ctx.vary("Accept");
    const { title, status, meaning, remedy } = PROBLEM_TYPES[slug];
    if (ctx.accepts("html", "json") === "json") {
      ctx.body = { type: `${problemBase()}/probs/${slug}`, title, status, meaning, remedy };
      return;
    }
    const { around } = await site();
    const html = problemHtml(slug);
    page(ctx, around({ title, address: "/docs/errors", html }), PAGE_POLICY);
  });
}

function referenceRoutes(router: ApiRouter): void {
  router.get(REFERENCE_ADDRESS, (ctx) => page(ctx, REFERENCE_PAGE, REFERENCE_POLICY));
  router.get(`${REFERENCE_ADDRESS}/start.js`, (ctx) =>
    asset(ctx, START_SCRIPT, "text/javascript; charset=utf-8"),
  );
  router.get(`${REFERENCE_ADDRESS}/:file`, async (ctx) => {
    const file = String(ctx.params["file"]);
    const type = ASSETS.get(file);
    if (type === undefined) throw notFound("page");
    asset(ctx, await readFile(join(SWAGGER_UI, file)), type);
  });
}

function page(ctx: ApiContext, html: string, policy: string): void {
  ctx.set("Content-Security-Policy", policy);
  ctx.set("Referrer-Policy", "no-referrer");
  ctx.type = "text/html; charset=utf-8";
  ctx.body = html;
}

function asset(ctx: ApiContext, content: string | Buffer, type: string): void {
  ctx.set("Cache-Control", `public, max-age=${ASSET_SECONDS}`);
  ctx.type = type;
  ctx.body = content;
}

/** All text is this package's own; "`" marks code. */
function problemHtml(slug: ProblemSlug): string {
  const { title, status, meaning, remedy } = PROBLEM_TYPES[slug];
  const marked = (text: string) => escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>");
  return `<h1>${title}</h1>
<dl>
<dt>Status</dt><dd>${status}</dd>
<dt>Type</dt><dd><code>${slug}</code></dd>
<dt>What it means</dt><dd>${marked(meaning)}</dd>
<dt>What to do</dt><dd>${marked(remedy)}</dd>
</dl>
<p><a href="/docs/errors#${slug}">All errors</a></p>
`;
}
