import { setImmediate } from "node:timers/promises";
import type { PictureRef } from "@feed/domain/article";
import { ArticleBodyError } from "./body-error.ts";
import { readProse, readText, writeHtml } from "./body-tree.ts";
import type { BodyNode } from "./body-tree.ts";
import { findDisallowed } from "./find-disallowed.ts";
import { sanitise } from "./sanitise.ts";
import { tidyBody } from "./tidy-body.ts";
import type { BodyProblem } from "./tidy-body.ts";

/**
 * Tidying changes what a parser makes of misnested tags; soup that has not settled by then never
 * will.
 */
const TIDY_ROUNDS_MAX = 6;
const PROBLEMS_MAX = 50;

export interface CleanArticleOptions {
  /** Absolute http(s) address of the article; relative links and pictures count from it. */
  readonly baseUrl: string;
  /** The stored original of the picture at an absolute address; undefined drops the picture. */
  readonly pictureFor: (url: string) => PictureRef | undefined;
}

export interface CleanBody {
  /**
   * Obeys spec 2.3; pictures are addressed `STORED_PICTURE_PREFIX + id`. Empty when nothing is
   * left.
   */
  readonly html: string;
  /** What a reader reads, a line for each block, without captions. */
  readonly text: string;
  /** What a summary is made of: `text` without headings, tables and code. */
  readonly prose: string;
  /** Pictures in `html`, in order, each once. */
  readonly pictures: readonly PictureRef[];
  readonly problems: readonly BodyProblem[];
}

/**
 * Cleans the HTML of an article to exactly what spec 2.3 allows. Cleaning clean HTML changes
 * nothing.
 *
 * It gives the event loop a turn before each document: the sanitiser's DOM is only freed between
 * turns, and a loop without one keeps hundreds of megabytes.
 *
 * @throws ArticleBodyError where the document passes a limit; the fault is the document's
 */
export async function cleanArticleHtml(
  rawHtml: string,
  options: CleanArticleOptions,
): Promise<CleanBody> {
  await setImmediate();
  const problems: BodyProblem[] = [];
  const nodes = settle(rawHtml, options, problems);
  const pictures = new Map<string, PictureRef>();
  const html = sanitise(writeHtml(nodes), (url) => {
    const picture = options.pictureFor(url);
    if (picture !== undefined) pictures.set(picture.id, picture);
    return picture;
  });
  const disallowed = findDisallowed(html);
  if (disallowed.length > 0) {
    throw new ArticleBodyError(
      "body-unsafe",
      `still there after sanitising: ${disallowed.join(", ")}`,
    );
  }
  return {
    html,
    text: readText(nodes),
    prose: readProse(nodes),
    pictures: [...pictures.values()],
    problems,
  };
}

/** Tidies until another round changes nothing, so that every parser reads the same document. */
function settle(
  rawHtml: string,
  { baseUrl, pictureFor }: CleanArticleOptions,
  problems: BodyProblem[],
): readonly BodyNode[] {
  const onProblem = (problem: BodyProblem): void => {
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  let html = rawHtml;
  for (let round = 0; round < TIDY_ROUNDS_MAX; round += 1) {
    const nodes = tidyBody(html, { baseUrl, pictureFor, onProblem });
    const tidied = writeHtml(nodes);
    if (tidied === html) return nodes;
    html = tidied;
  }
  throw new ArticleBodyError("body-unstable", "tidying the body reached no end");
}

/**
 * Absolute addresses of the pictures `cleanArticleHtml` will ask for, in order, each once.
 *
 * @throws ArticleBodyError where the document passes a limit
 */
export function collectPictureUrls(rawHtml: string, baseUrl: string): readonly string[] {
  const urls = new Set<string>();
  const pictureFor = (url: string): undefined => void urls.add(url);
  tidyBody(rawHtml, { baseUrl, pictureFor, onProblem: () => undefined });
  return [...urls];
}
