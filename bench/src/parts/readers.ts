import type { Category } from "@feed/domain/article";
import { CATEGORIES } from "@feed/domain/article";
import { EVENTS_PER_REQUEST_MAX } from "@feed/domain/limits";
import { categoryOf, contentIdOf } from "../articles/compose.ts";
import { userIdOf } from "../installation/append-activity.ts";
import { drive } from "../load/drive.ts";
import type { DriveResult } from "../load/drive.ts";
import type { RequestWriter } from "../load/requests.ts";
import { randomFrom } from "../random.ts";
import type { Sizes } from "../settings.ts";

const CATEGORIES_PER_USER = 2;
const CONNECTIONS = 8;

/** Clicks of each user on articles of two categories, so that there are interests to make feeds from. */
export function clicksOfReaders(sizes: Sizes, nowMs: number): readonly object[] {
  const random = randomFrom(4);
  const byCategory = articlesByCategory(sizes.articles);
  return Array.from({ length: sizes.users }, (_, user) => {
    const liked = Array.from({ length: CATEGORIES_PER_USER }, () => random.pick(CATEGORIES));
    return Array.from({ length: sizes.clicksPerUser }, (__, click) => ({
      type: "click",
      user_id: userIdOf(user),
      session_id: `first-${userIdOf(user)}`,
      content_id: contentIdOf(random.pick(byCategory.get(random.pick(liked)) ?? [0])),
      occurred_at: new Date(nowMs - (sizes.clicksPerUser - click) * 60_000).toISOString(),
    }));
  }).flat();
}

/** Posts events in full batches; every one must be accepted. */
export async function postAll(
  events: readonly object[],
  { port, writer }: { readonly port: number; readonly writer: RequestWriter },
): Promise<DriveResult> {
  const result = await drive({
    port,
    connections: CONNECTIONS,
    expectedStatus: 202,
    next: (index) => {
      const from = index * EVENTS_PER_REQUEST_MAX;
      const batch = events.slice(from, from + EVENTS_PER_REQUEST_MAX);
      return batch.length === 0 ? undefined : { request: writer.events(batch) };
    },
  });
  if (result.failed > 0) throw new Error(`events were refused: ${result.firstFailure}`);
  return result;
}

function articlesByCategory(articles: number): ReadonlyMap<Category, readonly number[]> {
  const byCategory = new Map<Category, number[]>();
  for (let index = 0; index < articles; index += 1) {
    const category = categoryOf(index);
    const known = byCategory.get(category);
    if (known === undefined) byCategory.set(category, [index]);
    else known.push(index);
  }
  return byCategory;
}
