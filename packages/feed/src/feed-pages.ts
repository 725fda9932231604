import { randomBytes } from "node:crypto";
import { FEED_COST_TENTHS } from "@feed/domain/credits";
import { FEED_WALK_ITEMS_MAX } from "@feed/domain/limits";
import type { ResolvedAreas } from "@feed/domain/area";
import { areaContextOf } from "./area-context.ts";
import { recordDelivery, returnCost, takeCost } from "./charge.ts";
import type { FeedDependencies } from "./dependencies.ts";
import { EngagementCache } from "./engagement.ts";
import { hash32 } from "./hashing.ts";
import { cutPage, type Page } from "./page.ts";
import type { ItemPresenter } from "./present.ts";
import { rankFeed } from "./rank.ts";
import { isReusable, listExpiresAtMs, type ListInputs, type RankedList } from "./ranked-list.ts";
import { loadReader, type Reader } from "./reader.ts";
import type { FeedAnswer, FeedItem, FeedRequest } from "./service.ts";
import { StatedInterests } from "./stated-interests.ts";
import { openWalk, sealWalk, type WalkPosition } from "./walk-cursor.ts";

const LIST_ID_BYTES = 16;

/** GET /v1/feed, step by step in the order of architecture section 3. */
export class FeedPages {
  readonly #deps: FeedDependencies;
  readonly #presenter: ItemPresenter;
  readonly #engagement: EngagementCache;
  readonly #statedInterests: StatedInterests;

  constructor(deps: FeedDependencies, presenter: ItemPresenter) {
    this.#deps = deps;
    this.#presenter = presenter;
    this.#engagement = new EngagementCache(deps);
    this.#statedInterests = new StatedInterests(deps.embedder);
  }

  async serve(request: FeedRequest): Promise<FeedAnswer> {
    const binding = bindingOf(request);
    const walk =
      request.cursor === undefined
        ? undefined
        : openWalk(this.#deps.keyring, request.cursor, binding);
    if (request.cursor !== undefined && walk === undefined) return { kind: "invalid-cursor" };
    const { tenantId } = request.tenant;
    const charge = await takeCost(this.#deps, tenantId, FEED_COST_TENTHS, request.nowMs);
    if (charge.kind !== "granted") return charge;
    let charged = false;
    try {
      const reader = await loadReader(this.#deps, tenantId, request.userId);
      const context = areaContextOf(this.#deps, request, reader);
      if (context.kind === "ambiguous") return { kind: "ambiguous-area", names: context.names };
      const { list, from } = await this.#listFor(request, reader, context.areas, walk);
      const shownBefore = walk?.shown ?? [];
      const limit = Math.min(request.limit, FEED_WALK_ITEMS_MAX - shownBefore.length);
      const page = await cutPage(this.#deps, list, from, { ...request, limit }, reader.user);
      const items = await this.#present(page, request, shownBefore.length);
      charged = true;
      const creditsTenths = await this.#record(request, reader, items, shownBefore.length);
      const nextCursor = this.#nextCursor(list, page, shownBefore, binding);
      return { kind: "page", items, nextCursor, resolvedAreas: context.areas, creditsTenths };
    } finally {
      if (!charged) await returnCost(this.#deps, tenantId, FEED_COST_TENTHS, request.nowMs);
    }
  }

  /** The list a page is cut from: the walk's own, a recent one for this reader, or a new one. */
  async #listFor(
    request: FeedRequest,
    reader: Reader,
    areas: ResolvedAreas,
    walk: WalkPosition | undefined,
  ): Promise<{ readonly list: RankedList; readonly from: number }> {
    const { tenantId } = request.tenant;
    const { readState } = this.#deps;
    if (walk !== undefined) {
      const kept = (await readState.getSnapshot(tenantId, walk.listId, request.nowMs)) as
        | RankedList
        | undefined;
      if (kept !== undefined) return { list: kept, from: walk.next };
      return { list: await this.#newList(request, reader, areas, walk), from: 0 };
    }
    const latestId = `latest:${listKeyOf(request, reader, areas)}`;
    const latest = (await readState.getSnapshot(tenantId, latestId, request.nowMs)) as
      | RankedList
      | undefined;
    if (
      latest !== undefined &&
      isReusable(latest, this.#inputsOf(request, reader), request.nowMs)
    ) {
      return { list: latest, from: 0 };
    }
    const list = await this.#newList(request, reader, areas, undefined);
    await readState.putSnapshot(tenantId, latestId, list, listExpiresAtMs(list));
    return { list, from: 0 };
  }

  async #newList(
    request: FeedRequest,
    { user }: Reader,
    areas: ResolvedAreas,
    walk: WalkPosition | undefined,
  ): Promise<RankedList> {
    const { tenantId } = request.tenant;
    const shown = new Set(walk?.shown);
    // Taken before ranking: a fact that lands meanwhile makes the list old rather than unnoticed.
    const madeFrom = this.#inputsOf(request, { user });
    const items = await rankFeed(
      { ...this.#deps, statedInterests: this.#statedInterests },
      {
        request,
        user,
        areaIds: areas.matched.map(({ area }) => area.id),
        engagement: this.#engagement.of(tenantId, request.nowMs),
        isShown: (contentId) => shown.has(hash32(contentId)),
      },
    );
    const listId = randomBytes(LIST_ID_BYTES).toString("hex");
    const list: RankedList = { listId, items, builtAtMs: request.nowMs, madeFrom };
    await this.#deps.readState.putSnapshot(tenantId, listId, list, listExpiresAtMs(list));
    return list;
  }

  #inputsOf(request: FeedRequest, { user }: Reader): ListInputs {
    return {
      rankingOffset: user?.state.rankingOffset ?? -1,
      scenarioVersion: request.scenario.version,
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
    for (const { ranked, article } of page.items) {
      const item = this.#presenter.present(article, request.tenant, request.nowMs);
      if (item === undefined) continue;
      const body = request.includeBody
        ? await this.#presenter.body(article, request.tenant, request)
        : {};
      items.push({
        ...item,
        ...body,
        score: ranked.score,
        tracking_token: tokenOf(article.contentId, positionFrom + items.length),
        ...(ranked.explanation === undefined ? {} : { explanation: ranked.explanation }),
      });
    }
    return items;
  }

  #record(
    request: FeedRequest,
    { user }: Reader,
    items: readonly FeedItem[],
    positionFrom: number,
  ): Promise<number> {
    const fact = {
      type: "feed.delivered",
      tenantId: request.tenant.tenantId,
      ...(user === undefined ? {} : { subjectId: user.key.subjectId }),
      requestId: request.requestId,
      scenario: request.scenario.name,
      items: items.map(({ id, score }, at) => ({
        contentId: id,
        position: positionFrom + at,
        score,
      })),
      creditsTenths: FEED_COST_TENTHS,
      servedAtMs: request.nowMs,
    } as const;
    return recordDelivery(this.#deps, fact, user?.userRef);
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
