import { join } from "node:path";
import { loadGazetteer } from "@feed/areas";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { Article } from "@feed/domain/article";
import { createFeedService } from "@feed/feed";
import { createPictureAddresses } from "@feed/pictures";
import type { Keyring } from "@feed/signing";
import type { HttpApiDependencies } from "../dependencies.ts";
import { openInstallation, type Installation, type InstallationOptions } from "./installation.ts";

const MODEL = "test-4";
const DIMENSIONS = 4;

/** An installation whose API serves feeds of these articles; `change` is for what the feed service is made of, too. */
export async function openFeedInstallation(
  articles: readonly Article[],
  { change = (deps) => deps, ...options }: InstallationOptions = {},
): Promise<Installation> {
  await using stack = new AsyncDisposableStack();
  const installation = await openInstallation({
    ...options,
    change: async (deps, path) => {
      const feeding = await withFeed(await change(deps, path), path, articles);
      stack.defer(feeding.close);
      return feeding.deps;
    },
  });
  stack.use(installation);
  const opened = stack.move();
  return { ...installation, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Gives the API a real feed service over these articles, and their index; the caller closes it. */
async function withFeed(
  deps: HttpApiDependencies,
  path: string,
  articles: readonly Article[],
): Promise<{ readonly deps: HttpApiDependencies; readonly close: () => Promise<void> }> {
  const contentIndex = await openEmbeddedContentIndex({
    directory: join(path, "index"),
    model: MODEL,
    dimensions: DIMENSIONS,
  });
  await contentIndex.apply(
    articles.map((article, offset) => ({ kind: "put", article, offset })),
    new Map([[0, articles.length]]),
  );
  // The installation made it with openKeyring: all of it is there.
  const keyring = deps.keyring as Keyring;
  const vector = Float32Array.of(1, 0, 0, 0);
  const feed = createFeedService({
    ...deps,
    keyring,
    contentIndex,
    activityStore: { engagement: () => Promise.resolve([]) },
    gazetteer: await loadGazetteer(),
    embedder: {
      model: MODEL,
      dimensions: DIMENSIONS,
      embed: (texts) => Promise.resolve(texts.map(() => vector)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    pictures: createPictureAddresses({ keyring, baseUrl: () => "https://feed.example" }),
    onUnrecorded: () => undefined,
    onEngagementStale: () => undefined,
  });
  return {
    deps: { ...deps, feed, contentIndex },
    close: async () => contentIndex[Symbol.asyncDispose](),
  };
}
