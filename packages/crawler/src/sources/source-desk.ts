import type { ExtractionOverrides } from "@feed/domain/source";
import type { Clock } from "@feed/runtime";
import type { Resolve } from "@feed/safe-fetch";
import { createPoliteFetch } from "../fetch/polite-fetch.ts";
import { openSafeFetch } from "@feed/safe-fetch";
import type { OriginPoliteness } from "../hosts.ts";
import { isSelector } from "../pages/read-page.ts";
import { timerSleep } from "../timer-sleep.ts";
import { previewSource } from "./preview.ts";
import type { SourcePreview } from "./preview.ts";

export interface SourceDeskOptions {
  readonly userAgent: string;
  /** See `CrawlerOptions`. */
  readonly ownOrigins: ReadonlyMap<string, OriginPoliteness>;
  readonly clock: Clock;
  /** Instead of this machine's resolver. */
  readonly resolve?: Resolve;
}

/** Where an operator looks at a source before it is crawled, with a client of its own. */
export interface SourceDesk extends AsyncDisposable {
  /** Errors: NoFeedFound; the signal's reason. */
  preview(
    address: string,
    extraction: ExtractionOverrides | undefined,
    signal: AbortSignal,
  ): Promise<SourcePreview>;
  /** Whether a text is a list of CSS selectors. */
  isSelector(text: string): boolean;
}

export function openSourceDesk(options: SourceDeskOptions): SourceDesk {
  const { userAgent, ownOrigins, clock, resolve } = options;
  const safeFetch = openSafeFetch({
    userAgent,
    allowedOrigins: [...ownOrigins.keys()],
    ...(resolve === undefined ? {} : { resolve }),
  });
  const politeness = ownOrigins;
  const fetch = createPoliteFetch({ safeFetch, userAgent, clock, politeness, sleep: timerSleep });
  const deps = { fetch, nowMs: () => clock.nowMs() };
  return {
    preview: (address, extraction, signal) => previewSource(address, extraction, deps, signal),
    isSelector,
    [Symbol.asyncDispose]: () => safeFetch[Symbol.asyncDispose](),
  };
}
