import { createPoliteFetch } from "../fetch/polite-fetch.ts";
import { openSafeFetch } from "@feed/safe-fetch";
import { timerSleep } from "../timer-sleep.ts";
import type { OriginPoliteness } from "../hosts.ts";
import type { StorePictures } from "./article-draft.ts";
import type { IngestDependencies } from "./dependencies.ts";
import { pictureStorage } from "./store-pictures.ts";

export interface PictureStorageOptions extends Pick<
  IngestDependencies,
  "objectStore" | "state" | "clock" | "log"
> {
  readonly userAgent: string;
  readonly ownOrigins: ReadonlyMap<string, OriginPoliteness>;
}

/** Picture storage with a client of its own, for imports. */
export function openPictureStorage(
  options: PictureStorageOptions,
): AsyncDisposable & { readonly storePictures: StorePictures } {
  const { userAgent, clock, ownOrigins } = options;
  const safeFetch = openSafeFetch({ userAgent, allowedOrigins: [...ownOrigins.keys()] });
  const fetch = createPoliteFetch({
    safeFetch,
    userAgent,
    clock,
    politeness: ownOrigins,
    sleep: timerSleep,
  });
  return {
    storePictures: pictureStorage(options, fetch),
    [Symbol.asyncDispose]: () => safeFetch[Symbol.asyncDispose](),
  };
}
