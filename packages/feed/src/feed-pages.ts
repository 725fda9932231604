import { randomBytes } from "node:crypto";
import { costTo, FEED_COST_TENTHS } from "@feed/domain/credits";
import { FEED_WALK_ITEMS_MAX } from "@feed/domain/limits";
import type { ResolvedAreas } from "@feed/domain/area";
import type { ExperimentPlace } from "@feed/domain/experiment";
import { ContentIndexUnavailable } from "@feed/content-index";
import { areaContextOf } from "./area-context.ts";
import { Articles } from "./articles.ts";
import { recordDelivery, takeCost, type Grant } from "./charge.ts";
import type { FeedDependencies } from "./dependencies.ts";
import { EngagementCache } from "./engagement.ts";
import { isSamePlace, scenarioInArm } from "./experiment-arm.ts";
import { hash32 } from "./hashing.ts";
import { cutPage, type Page } from "./page.ts";
import type { ItemPresenter } from "./present.ts";
import { rankFeed } from "./rank.ts";
import { isReusable, type ListInputs, type RankedList } from "./ranked-list.ts";
import { RankedLists } from "./ranked-lists.ts";
import { loadReader, type Reader } from "./reader.ts";
import type { FeedAnswer, FeedItem, FeedPreview, FeedRequest, PreviewItem } from "./service.ts";
import { StatedInterests } from "./stated-interests.ts";
import { openWalk, sealWalk, type WalkPosition } from "./walk-cursor.ts";

const LIST_ID_BYTES = 16;

/** A reader with the arm that the request is answered in. */
interface PlacedReader extends Reader {
  readonly place: ExperimentPlace | null;
}

/** GET /v1/feed, step by step in the order of architecture section 3. */
export class FeedPages {
  readonly #deps: FeedDependencies;
  readonly #presenter: ItemPresenter;
  readonly #engagement: EngagementCache;
  readonly #statedInterests: StatedInterests;
  readonly #lists: RankedLists;
  readonly #articles: Articles;

  constructor(deps: FeedDependencies, presenter: ItemPresenter) {
    this.#deps = deps;
    this.#presenter = presenter;
    this.#engagement = new EngagementCache(deps);
    this.#statedInterests = new StatedInterests(deps.embedder);
    this.#lists = new RankedLists(deps.readState);
    this.#articles = new Articles(deps.contentIndex);
  }

  async serve(asked: FeedRequest): Promise<FeedAnswer> {
    const binding = bindingOf(asked);
    const walk =
      asked.cursor === undefined ? undefined : openWalk(this.#deps.keyring, asked.cursor, binding);
    if (asked.cursor !== undefined && walk === undefined) return { kind: "invalid-cursor" };
    const { tenantId } = asked.tenant;
    const cost = costTo(tenantId, FEED_COST_TENTHS);
    const grant = await takeCost(this.#deps, tenantId, cost, asked.nowMs);
    if (grant.kind !== "granted") return grant;
    let served = false;
    try {
      const known = await loadReader(this.#deps, tenantId, asked.userId);
      const { request, reader } = this.#inArm(asked, known);
      const context = areaContextOf(this.#deps, request, reader);
      if (context.kind === "ambiguous") return { kind: "ambiguous-area", names: context.names };
      const { list, from } = await this.#listFor(request, reader, context.areas, walk);
      const shownBefore = walk?.shown ?? [];
      const limit = Math.min(request.limit, FEED_WALK_ITEMS_MAX - shownBefore.length);
      const cutting = { directory: this.#deps.directory, articles: this.#articles };
      const page = await cutPage(cutting, list, from, { ...request, limit }, reader.user);
      const items = await this.#present(page, request, shownBefore.length);
      const place = { from: shownBefore.length, experiment: experimentOf(list, reader) };
      const creditsTenths = await this.#record(request, reader, items, place, grant);
      served = true;
      const nextCursor = this.#nextCursor(list, page, shownBefore, binding);
      return { kind: "page", items, nextCursor, resolvedAreas: context.areas, creditsTenths };
    } finally {
      if (!served) await grant.giveBack();
    }
  }

  /** What `serve` would answer, taken from nobody's credits and left in no place. */
  async preview(asked: Omit<FeedRequest, "explain" | "cursor">): Promise<FeedPreview> {
    const known = await loadReader(this.#deps, asked.tenant.tenantId, asked.userId);
    const { request, reader } = this.#inArm({ ...asked, explain: true }, known);
    const context = areaContextOf(this.#deps, request, reader);
    if (context.kind === "ambiguous") return { kind: "ambiguous-area", names: context.names };
    const list = await this.#newList(request, reader, context.areas, undefined);
    const cutting = { directory: this.#deps.directory, articles: this.#articles };
    const page = await cutPage(cutting, list, 0, request, reader.user);
    const items = page.items.flatMap(({ score, explanation, article }): readonly PreviewItem[] => {
      const content = this.#presenter.present(article, request.tenant, request.nowMs);
      return content === undefined || explanation === undefined
        ? []
        : [{ content, score, explanation }];
    });
    return { kind: "page", items, arm: reader.place?.arm ?? null };
  }

  #inArm(asked: FeedRequest, known: Reader) {
    const { scenario, place } = scenarioInArm(this.#deps, asked.scenario, known);
    return { request: { ...asked, scenario }, reader: { ...known, place } };
  }

  /** The list a page is cut from: the walk's own, a recent one for this reader, or a new one. */
  async #listFor(
    request: FeedRequest,
    reader: PlacedReader,
    areas: ResolvedAreas,
    walk: WalkPosition | undefined,
  ): Promise<{ readonly list: RankedList; readonly from: number }> {
    const { tenantId } = request.tenant;
    if (walk !== undefined) {
      const subjectId = reader.user?.key.subjectId ?? null;
      const kept = await this.#lists.ofWalk(tenantId, walk.listId, subjectId, request.nowMs);
      if (kept !== undefined) return { list: kept, from: walk.next };
      const list = await this.#newList(request, reader, areas, walk);
      await this.#lists.keep(tenantId, list);
      return { list, from: 0 };
    }
    const key = listKeyOf(request, reader, areas);
    const latest = await this.#lists.latest(tenantId, key, request.nowMs);
    const now = this.#inputsOf(request, reader);
    if (latest !== undefined && isReusable(latest, now, request.nowMs)) {
      return { list: latest, from: 0 };
    }
    try {
      const list = await this.#newList(request, reader, areas, undefined);
      await this.#lists.keep(tenantId, list, key);
      return { list, from: 0 };
    } catch (error) {
      // What has since been read or blocked is skipped when the page is cut, so an older list does no harm.
      if (latest === undefined || !(error instanceof ContentIndexUnavailable)) throw error;
      return { list: latest, from: 0 };
    }
  }

  async #newList(
    request: FeedRequest,
    { user, place }: PlacedReader,
    areas: ResolvedAreas,
    walk: WalkPosition | undefined,
  ): Promise<RankedList> {
    const { tenantId } = request.tenant;
    // Taken before ranking: a fact that lands meanwhile makes the list old rather than unnoticed.
    const madeFrom = this.#inputsOf(request, { user, place });
    const { articles, ...items } = await rankFeed(
      { ...this.#deps, statedInterests: this.#statedInterests },
      {
        request,
        user,
        areaIds: areas.matched.map(({ area }) => area.id),
        engagement: this.#engagement.of(tenantId, request.nowMs),
        shown: new Set(walk?.shown),
      },
    );
    const listId = randomBytes(LIST_ID_BYTES).toString("hex");
    this.#articles.remember(listId, articles);
    const subjectId = user?.key.subjectId ?? null;
    return { listId, subjectId, ...items, builtAtMs: request.nowMs, madeFrom };
  }

  #inputsOf(request: FeedRequest, { user, place }: PlacedReader): ListInputs {
    return {
      rankingOffset: user?.state.rankingOffset ?? -1,
      scenarioVersion: request.scenario.version,
      place,
      directoryVersion: this.#deps.directory.version(),
      indexGeneration: this.#deps.contentIndex.generation(),
    };
  }

  async #present(page: Page, request: FeedRequest, positionFrom: number): Promise<FeedItem[]> {
    const tokenOf = this.#deps.keyring.trackingTokenSigner({
      tenantId: request.tenant.tenantId,
      surface: "feed",
      scenario: request.scenario.name,
      deliveryId: request.requestId,
      deliveredAtMs: request.nowMs,
    });
    const items: FeedItem[] = [];
    for (const { score, explanation, article } of page.items) {
      const content = this.#presenter.present(article, request.tenant, request.nowMs);
      if (content === undefined) continue;
      const body = request.includeBody
        ? await this.#presenter.body(article, request.tenant, request)
        : undefined;
      items.push({
        content,
        ...(body === undefined ? {} : { body }),
        score,
        tracking_token: tokenOf(article.contentId, positionFrom + items.length),
        ...(explanation === undefined ? {} : { explanation }),
      });
    }
    return items;
  }

  #record(
    request: FeedRequest,
    { user }: Reader,
    items: readonly FeedItem[],
    { from, experiment }: { readonly from: number; readonly experiment: ExperimentPlace | null },
    grant: Grant,
  ): Promise<number> {
    const fact = {
      type: "feed.delivered",
      tenantId: request.tenant.tenantId,
      ...(user === undefined ? {} : { subjectId: user.key.subjectId }),
      requestId: request.requestId,
      scenario: request.scenario.name,
      ...(experiment === null ? {} : { experiment }),
      items: items.map(({ content, score }, at) => ({
        contentId: content.id,
        position: from + at,
        score,
      })),
      creditsTenths: costTo(request.tenant.tenantId, FEED_COST_TENTHS),
      servedAtMs: request.nowMs,
    } as const;
    return recordDelivery(this.#deps, grant, fact, user?.userRef);
  }

  #nextCursor(
    list: RankedList,
    page: Page,
    shownBefore: readonly number[],
    binding: string,
  ): string | null {
    const shown = [...shownBefore, ...page.items.map(({ article }) => hash32(article.contentId))];
    if (page.isLast || shown.length >= FEED_WALK_ITEMS_MAX) return null;
    return sealWalk(this.#deps.keyring, { listId: list.listId, next: page.next, shown }, binding);
  }
}

/**
 * The arm that a page counts in: none where its list was made for another, as in a walk that began before the experiment, or
 * where nothing newer could be ranked.
 */
function experimentOf({ madeFrom }: RankedList, { place }: PlacedReader): ExperimentPlace | null {
  return isSamePlace(madeFrom.place, place) ? place : null;
}

/** What a cursor is bound to: tenant, scenario, user and filters (decisions, "Feed"); `limit` may change. */
function bindingOf({
  tenant,
  scenario,
  userId,
  areaNames,
  areaLevel,
  explain,
}: FeedRequest): string {
  return JSON.stringify([
    tenant.tenantId,
    scenario.name,
    userId ?? null,
    areaNames,
    areaLevel ?? null,
    explain,
  ]);
}

/** Requests with one key get one list: who asks, in which scenario, for which areas. */
function listKeyOf(request: FeedRequest, { user }: Reader, areas: ResolvedAreas): string {
  const areaIds = areas.matched.map(({ area }) => area.id);
  return JSON.stringify([
    request.scenario.name,
    user?.key.subjectId ?? null,
    areaIds,
    request.explain,
  ]);
}
