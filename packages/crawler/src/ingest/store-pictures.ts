import type { PictureRef } from "@feed/domain/article";
import { PICTURE_BYTES_MAX, PictureRefused, storePicture } from "@feed/pictures";
import { FetchError } from "@feed/safe-fetch";
import type { PoliteFetch } from "../fetch/polite-fetch.ts";
import type { StorePictures } from "./article-draft.ts";
import type { IngestDependencies } from "./dependencies.ts";

/** Of one article; each may be PICTURE_BYTES_MAX in memory. */
const PICTURES_AT_ONCE = 4;
/** A picture at a known address is not fetched again before; publishers give changed ones a new address. */
const PICTURE_KNOWN_MS = 30 * 24 * 3_600_000;

/**
 * Fetches and stores pictures. A picture that is refused or can't be had is left out: its article goes on.
 *
 * Errors: ObjectStoreUnavailable, the signal's reason.
 */
export function pictureStorage(
  deps: Pick<IngestDependencies, "objectStore" | "state" | "clock" | "log">,
  fetch: PoliteFetch,
): StorePictures {
  const storeOne = async (url: string, signal: AbortSignal): Promise<PictureRef | undefined> => {
    const nowMs = deps.clock.nowMs();
    const known = deps.state.picture(url);
    if (known !== undefined && nowMs - known.fetchedAtMs < PICTURE_KNOWN_MS) return known.picture;
    try {
      const { status, bytes } = await fetch.get(url, {
        accept: "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.8",
        bytesMax: PICTURE_BYTES_MAX,
        signal,
      });
      if (status !== 200) return undefined;
      const picture = await storePicture(deps.objectStore, bytes);
      await deps.state.savePicture(url, { picture, fetchedAtMs: nowMs });
      return picture;
    } catch (error) {
      if (!(error instanceof FetchError) && !(error instanceof PictureRefused)) throw error;
      deps.log.debug({ url, reason: error.message }, "picture left out");
      return undefined;
    }
  };
  return async (urls, signal) => {
    const stored = new Map<string, PictureRef>();
    const waiting = [...new Set(urls)];
    const work = async (): Promise<void> => {
      for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
        const picture = await storeOne(url, signal);
        if (picture !== undefined) stored.set(url, picture);
      }
    };
    const workers = Array.from({ length: PICTURES_AT_ONCE }, () =>
      work().finally(() => (waiting.length = 0)),
    );
    // When this ends, nothing of it goes on: what it stores in may be closed next.
    await Promise.allSettled(workers);
    await Promise.all(workers);
    return stored;
  };
}
