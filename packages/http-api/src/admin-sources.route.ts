import { changedSource, newSource, sourceIdOf } from "@feed/crawler/sources/new-source";
import type { SourceChoices } from "@feed/crawler/sources/new-source";
import type { SourcePreview } from "@feed/crawler";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import type { ExtractionOverrides, Source } from "@feed/domain/source";
import type { ApiContext, ApiRouter } from "./api-context.ts";
import { requireOperator, stampOf } from "./admin-access.ts";
import type { HttpApiDependencies } from "./dependencies.ts";
import { byName } from "./directory.route.ts";
import type { AdminSource, SourceChange } from "./openapi.generated.ts";
import { presentPreview, presentSource } from "./present-source.ts";
import { notFound, Problem, validationProblem } from "./problem.ts";
import type { Fault } from "./problem.ts";
import type { RequestReader } from "./route-tools.ts";

/** A site that names no feed is asked a dozen times, a second apart. */
const PREVIEW_TIMEOUT_MS = 50_000;

/** `/admin/v1/sources`: what is crawled. */
export function adminSourcesRoutes(
  router: ApiRouter,
  reader: RequestReader,
  deps: HttpApiDependencies,
): void {
  const { directory } = deps;

  router.get("/admin/v1/sources", (ctx) => {
    requireOperator(ctx);
    ctx.body = { data: byName(directory.sources()).map((source) => present(source, deps)) };
  });

  router.get("/admin/v1/source-preview", async (ctx) => {
    requireOperator(ctx);
    const { address } = reader.parameters("adminPreviewSource", ctx);
    const preview = await previewOf(address, undefined, "query:address", deps);
    ctx.body = { data: presentPreview(preview) };
  });

  router.post("/admin/v1/sources", async (ctx) => {
    requireOperator(ctx);
    const { address, source_id, ...written } = await reader.body("adminAddSource", ctx);
    await assertSelectors(written, deps);
    assertBounds(written, undefined);
    const choices = choicesFrom(written, undefined);
    if (source_id !== undefined) assertFree(source_id, deps);
    const preview = await previewOf(address, choices.extraction, "/address", deps);
    const sourceId = asId<SourceId>(source_id ?? sourceIdOf(preview.siteUrl));
    assertFree(sourceId, deps);
    const source = newSource(preview, sourceId, choices);
    await save(source, ctx, deps);
    ctx.status = 201;
    ctx.body = { data: present(source, deps) };
  });

  router.get("/admin/v1/sources/:source_id", (ctx) => {
    requireOperator(ctx);
    const { source_id } = reader.parameters("adminGetSource", ctx);
    ctx.body = { data: present(known(source_id, deps), deps) };
  });

  router.patch("/admin/v1/sources/:source_id", async (ctx) => {
    requireOperator(ctx);
    const { source_id } = reader.parameters("adminChangeSource", ctx);
    const written = await reader.body("adminChangeSource", ctx);
    const before = known(source_id, deps);
    await assertSelectors(written, deps);
    assertBounds(written, before);
    const source = changedSource(before, choicesFrom(written, before));
    await save(source, ctx, deps);
    ctx.body = { data: present(source, deps) };
  });

  router.delete("/admin/v1/sources/:source_id", async (ctx) => {
    requireOperator(ctx);
    const { source_id } = reader.parameters("adminRemoveSource", ctx);
    await save({ ...known(source_id, deps), removed: true }, ctx, deps);
    ctx.status = 204;
  });

  router.post("/admin/v1/sources/:source_id/recrawl", async (ctx) => {
    requireOperator(ctx);
    const { source_id } = reader.parameters("adminRecrawlSource", ctx);
    const recrawlFromMs = ctx.state.receivedAtMs;
    await save({ ...known(source_id, deps), recrawlFromMs }, ctx, deps);
    ctx.status = 204;
  });
}

function present(source: Source, { sources }: HttpApiDependencies): AdminSource {
  return presentSource(source, sources.health(source));
}

function known(sourceId: string, { directory }: HttpApiDependencies): Source {
  const source = directory.source(asId<SourceId>(sourceId));
  if (source === undefined || source.removed === true) throw notFound("source");
  return source;
}

function assertFree(sourceId: string, { directory }: HttpApiDependencies): void {
  const existing = directory.source(asId<SourceId>(sourceId));
  if (existing === undefined || existing.removed === true) return;
  throw new Problem("conflict", `There is a source "${sourceId}" already.`);
}

async function save(source: Source, ctx: ApiContext, deps: HttpApiDependencies): Promise<void> {
  await deps.directory.change([{ type: "source.saved", source, ...stampOf(ctx) }]);
}

/** @throws Problem 400 at `pointer` where nothing was found. */
async function previewOf(
  address: string,
  extraction: ExtractionOverrides | undefined,
  pointer: string,
  deps: HttpApiDependencies,
): Promise<SourcePreview> {
  const desk = await deps.sources.desk();
  const timeout = AbortSignal.timeout(PREVIEW_TIMEOUT_MS);
  try {
    return await desk.preview(address, extraction, timeout);
  } catch (error) {
    if (error instanceof Error && error.name === "NoFeedFound")
      throw validationProblem([{ pointer, detail: error.message }]);
    if (!timeout.aborted) throw error;
    const seconds = PREVIEW_TIMEOUT_MS / 1_000;
    throw validationProblem([{ pointer, detail: `gave no feed within ${seconds} s` }]);
  }
}

async function assertSelectors(written: SourceChange, deps: HttpApiDependencies): Promise<void> {
  const named = { keep_selectors: written.keep_selectors, drop_selectors: written.drop_selectors };
  if (Object.values(named).every((selectors) => selectors === undefined)) return;
  const desk = await deps.sources.desk();
  const faults = Object.entries(named).flatMap(([name, selectors = []]) =>
    selectors.flatMap((text, at): readonly Fault[] =>
      desk.isSelector(text) ? [] : [{ pointer: `/${name}/${at}`, detail: "is no CSS selector" }],
    ),
  );
  if (faults.length > 0) throw validationProblem(faults);
}

function assertBounds(written: SourceChange, before: Source | undefined): void {
  const shortestMs = written.crawl_interval_ms ?? before?.crawlIntervalMs ?? 0;
  if ((written.crawl_interval_ms_max ?? shortestMs) >= shortestMs) return;
  const detail = "is shorter than crawl_interval_ms";
  throw validationProblem([{ pointer: "/crawl_interval_ms_max", detail }]);
}

function choicesFrom(written: SourceChange, before: Source | undefined): SourceChoices {
  const keep = written.keep_selectors ?? before?.extraction?.keep ?? [];
  const drop = written.drop_selectors ?? before?.extraction?.drop ?? [];
  const extraction = { keep: [...keep], drop: [...drop] };
  const isOverridden = before?.extraction !== undefined || keep.length + drop.length > 0;
  return {
    ...(isOverridden && { extraction }),
    ...(written.name !== undefined && { name: written.name }),
    ...(written.language !== undefined && { language: new Intl.Locale(written.language).language }),
    ...(written.paused !== undefined && { paused: written.paused }),
    ...(written.publisher !== undefined && { publisher: written.publisher ?? "" }),
    ...(written.licence_notes !== undefined && { licenceNotes: written.licence_notes }),
    ...(written.title_rewrite_allowed !== undefined && {
      titleRewriteAllowed: written.title_rewrite_allowed,
    }),
    ...(written.crawl_interval_ms !== undefined && { crawlIntervalMs: written.crawl_interval_ms }),
    ...(written.crawl_interval_ms_max !== undefined && {
      crawlIntervalMsMax: written.crawl_interval_ms_max,
    }),
  };
}
