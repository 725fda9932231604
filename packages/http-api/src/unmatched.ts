import type { ApiMiddleware } from "./api-context.ts";
import { notFound, Problem } from "./problem.ts";

/**
 * Answers what no route took: 405 with `Allow` where the path has routes of other methods, else 404
 * (decisions, "HTTP in general").
 */
export const unmatched: ApiMiddleware = (ctx) => {
  const layers = (ctx["matched"] ?? []) as readonly { readonly methods: readonly string[] }[];
  const allowed = [...new Set(layers.flatMap(({ methods }) => methods))].toSorted();
  if (allowed.length === 0) throw notFound("path");
  throw new Problem("method-not-allowed", `This path takes ${allowed.join(", ")}.`, {
    headers: { Allow: allowed.join(", ") },
  });
};
