import { createHash, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open } from "lmdb";
import type { Database, Key, RootDatabase } from "lmdb";
import type { SourceId } from "@feed/domain/ids";
import { CrawlStateUnavailable } from "../state/crawl-state.ts";
import { PUSHES_WAITING_MAX } from "./subscriptions.ts";
import type { NamedSubscription, Push, Subscription, Subscriptions } from "./subscriptions.ts";

/** 192 bits: the callback's address is a capability (WebSub, 8). */
const TOKEN_BYTES = 24;
const SOURCE_CHARS = 22;
const ID = /^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{32}$/;

interface Tables {
  readonly root: RootDatabase;
  readonly subscriptions: Database<Subscription, string>;
  readonly pushes: Database<Push, [string, number]>;
}

/** Opens, or creates, them in a directory, which may be that of the crawl state. Several processes may have it open. */
export function openLmdbSubscriptions(directory: string): Subscriptions {
  const { root, subscriptions, pushes } = openTables(directory);
  const named = (range: { start?: string; end?: string }): readonly NamedSubscription[] =>
    [...subscriptions.getRange(range)].map(({ key, value }) => ({ id: key, subscription: value }));
  const waiting = (id: string): { start: Key; end: Key } => ({
    start: [id, 0],
    end: [id, Infinity],
  });
  const written = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    try {
      return await write();
    } catch (cause) {
      throw new CrawlStateUnavailable(`cannot write to ${directory}`, { cause });
    }
  };
  return {
    get: (id) => (ID.test(id) ? subscriptions.get(id) : undefined),
    all: () => named({}),
    ofSource: (sourceId) =>
      named(idsOf(sourceId)).find(({ subscription }) => subscription.status !== "ending"),
    add: (subscription) =>
      written(
        async () => void (await subscriptions.put(newId(subscription.sourceId), subscription)),
      ),
    change: (id, change) =>
      written(() =>
        root.transaction(() => {
          const before = subscriptions.get(id);
          if (before === undefined) return;
          const after = change(before);
          if (after !== undefined) return void subscriptions.put(id, after);
          void subscriptions.remove(id);
          const keys = [...pushes.getKeys(waiting(id))];
          for (const key of keys) void pushes.remove(key);
        }),
      ),
    addPush: (id, push) =>
      written(async () => {
        const isAdded = await root.transaction(() => {
          const keys = [...pushes.getKeys(waiting(id))];
          if (keys.length >= PUSHES_WAITING_MAX) return false;
          void pushes.put([id, (keys.at(-1)?.[1] ?? 0) + 1], push);
          return true;
        });
        await root.flushed;
        return isAdded;
      }),
    pushed: () => [...new Set([...pushes.getKeys()].map(([id]) => id))],
    firstPush(id) {
      const [first] = pushes.getRange({ ...waiting(id), limit: 1 });
      return first === undefined ? undefined : { key: first.key, push: first.value };
    },
    removePush: ([id, sequence]) => written(async () => void (await pushes.remove([id, sequence]))),
    [Symbol.asyncDispose]: () => root.close(),
  };
}

function openTables(directory: string): Tables {
  try {
    mkdirSync(directory, { recursive: true });
    const root = open({ path: `${directory}/websub.mdb`, maxDbs: 4 });
    return {
      root,
      subscriptions: root.openDB({ name: "subscriptions" }),
      pushes: root.openDB({ name: "pushes" }),
    };
  } catch (cause) {
    throw new CrawlStateUnavailable(`cannot use ${directory}`, { cause });
  }
}

/** Ids of a source begin alike, so that they are found together. */
function sourcePart(sourceId: SourceId): string {
  return createHash("sha256").update(sourceId).digest("base64url").slice(0, SOURCE_CHARS);
}

function newId(sourceId: SourceId): string {
  return `${sourcePart(sourceId)}.${randomBytes(TOKEN_BYTES).toString("base64url")}`;
}

function idsOf(sourceId: SourceId): { readonly start: string; readonly end: string } {
  // "/" follows ".".
  return { start: `${sourcePart(sourceId)}.`, end: `${sourcePart(sourceId)}/` };
}
