import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import { notFound } from "./problem.ts";
import { isProblemSlug, PROBLEM_TYPES } from "./problem-types.ts";
import type { ProblemSlug } from "./problem-types.ts";

/** Served from the installed package: nothing comes from another host. */
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
const ASSETS = new Map([
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
]);
const ASSET_SECONDS = 86_400;

const POLICY_BASE =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const DOCS_POLICY = [
  POLICY_BASE,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "style-src 'self'",
].join("; ");
const PROBLEM_POLICY = `${POLICY_BASE}; img-src data:; style-src 'self'`;

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Content Feed Service: HTTP API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
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
const PROBLEM_STYLE = `body {
  font: 1rem/1.6 system-ui, sans-serif;
  max-width: 42rem;
  margin: 3rem auto;
  padding: 0 1rem;
}
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
@media (prefers-color-scheme: dark) {
  body { background: #14171a; color: #e6e8ea; }
  a { color: #8ab4f8; }
}
`;

/** `/docs`, and a page for every problem type at `/probs/{slug}` (decisions, "HTTP in general"). */
export function docsRoutes(router: ApiRouter, problemBase: () => string): void {
  router.get("/docs", (ctx) => page(ctx, DOCS_PAGE, DOCS_POLICY));
  router.get("/docs/start.js", (ctx) => asset(ctx, START_SCRIPT, "text/javascript; charset=utf-8"));
  router.get("/docs/:file", async (ctx) => {
    const file = String(ctx.params["file"]);
    const type = ASSETS.get(file);
    if (type === undefined) throw notFound("page");
    asset(ctx, await readFile(join(SWAGGER_UI, file)), type);
  });

  router.get("/probs/style.css", (ctx) => asset(ctx, PROBLEM_STYLE, "text/css; charset=utf-8"));
  router.get("/probs/:slug", (ctx) => {
    const slug = String(ctx.params["slug"]);
    if (!isProblemSlug(slug)) throw notFound("problem type");
    ctx.vary("Accept");
    if (ctx.accepts("html", "json") === "json") {
      const { title, status, meaning, remedy } = PROBLEM_TYPES[slug];
      ctx.body = { type: `${problemBase()}/probs/${slug}`, title, status, meaning, remedy };
      return;
    }
    page(ctx, problemPage(slug), PROBLEM_POLICY);
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
function problemPage(slug: ProblemSlug): string {
  const { title, status, meaning, remedy } = PROBLEM_TYPES[slug];
  const marked = (text: string) =>
    text.replaceAll("<", "&lt;").replace(/`([^`]*)`/g, "<code>$1</code>");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/probs/style.css">
</head>
<body>
<h1>${title}</h1>
<dl>
<dt>Status</dt><dd>${status}</dd>
<dt>Type</dt><dd><code>${slug}</code></dd>
<dt>What it means</dt><dd>${marked(meaning)}</dd>
<dt>What to do</dt><dd>${marked(remedy)}</dd>
</dl>
<p><a href="/docs">Documentation of the API</a></p>
</body>
</html>
`;
}
