import type { Article } from "./article.ts";
import type { Catalogue } from "./catalogue.ts";
import type { PictureStudio } from "./pictures/render.ts";
import type { Publisher } from "./publisher.ts";
import { feedDocument } from "./render/feed.ts";
import { PICTURE_WIDTHS, addressesOf, escapeText } from "./render/markup.ts";
import { articlePage, homePage, textPage } from "./render/page.ts";
import { styleSheet } from "./render/style.ts";
import { textAnswer } from "./responses.ts";
import type { Answer } from "./responses.ts";

const ROBOTS = "User-agent: *\nCrawl-delay: 0\nDisallow: /*/members/\n";

const PICTURE_FILE = /^images\/([0-9a-z]+)(-b)?-(\d+)\.(jpg|png)$/;

/** Pictures never change, so clients may keep them for a day. */
const PICTURE_MAX_AGE_SECONDS = 24 * 60 * 60;

/** What the site is made of. */
export interface Site {
  readonly catalogue: Catalogue;
  readonly studio: PictureStudio;
  /** `http://host:port`, without a slash at its end. */
  readonly origin: string;
  readonly startedAtMs: number;
}

/** The answer for a path such as `/hibari-sports/feed.xml`; undefined where there is nothing. */
export function answerFor(site: Site, path: string): Answer | undefined {
  const { startedAtMs } = site;
  if (path === "/robots.txt") return textAnswer("utf-8", "text/plain", ROBOTS, startedAtMs);
  if (path === "/") return textAnswer("utf-8", "text/html", directoryPage(site), startedAtMs);
  const [, slug = "", rest = ""] = /^\/([^/]+)\/(.*)$/.exec(path) ?? [];
  const publisher = site.catalogue.publishers.find((each) => each.slug === slug);
  if (publisher === undefined) return undefined;
  return (
    articleAnswer(site, publisher, rest) ??
    pictureAnswer(site, publisher, rest) ??
    frontAnswer(site, publisher, rest)
  );
}

function articleAnswer(site: Site, publisher: Publisher, rest: string): Answer | undefined {
  const prefix = `${publisher.articleFolder}/`;
  if (!rest.startsWith(prefix) || !rest.endsWith(publisher.articleSuffix)) return undefined;
  const id = rest.slice(prefix.length, rest.length - publisher.articleSuffix.length);
  const article = site.catalogue.find(publisher.slug, id);
  if (article === undefined) return undefined;
  const others = site.catalogue.newestFirst(publisher.slug).filter((other) => other !== article);
  const html = articlePage(publisher, article, others, addressesOf(publisher, site.origin));
  return textAnswer(publisher.charset, "text/html", html, article.publishedAtMs);
}

function pictureAnswer(site: Site, publisher: Publisher, rest: string): Answer | undefined {
  const [, id = "", inBody, width = "", format] = PICTURE_FILE.exec(rest) ?? [];
  const article = site.catalogue.find(publisher.slug, id);
  const isOffered = PICTURE_WIDTHS.some((offered) => String(offered) === width);
  if (article?.scene === undefined || !isOffered || format !== publisher.pictureFormat) {
    return undefined;
  }
  const request = {
    scene: article.scene,
    seed: article.pictureSeed + (inBody ?? ""),
    palette: publisher.palette,
    width: Number(width),
    format: publisher.pictureFormat,
  };
  return {
    status: 200,
    contentType: format === "png" ? "image/png" : "image/jpeg",
    version: JSON.stringify(request),
    lastModifiedMs: article.publishedAtMs,
    maxAgeSeconds: PICTURE_MAX_AGE_SECONDS,
    body: () => site.studio.draw(request),
  };
}

function frontAnswer(site: Site, publisher: Publisher, rest: string): Answer | undefined {
  const addresses = addressesOf(publisher, site.origin);
  const { charset } = publisher;
  const articles = site.catalogue.newestFirst(publisher.slug);
  const newestMs = newestOf(articles, site.startedAtMs);
  switch (rest) {
    case publisher.feed.file: {
      const { mediaType, text } = feedDocument(publisher, articles, addresses);
      return textAnswer(charset, mediaType, text, newestMs);
    }
    case "":
      return textAnswer(charset, "text/html", homePage(publisher, articles, addresses), newestMs);
    case "style.css":
      return textAnswer("utf-8", "text/css", styleSheet(publisher), site.startedAtMs);
    case "about":
      return plainAnswer(site, publisher, publisher.tagline);
    case "members/":
      return plainAnswer(
        site,
        publisher,
        publisher.language === "ja" ? "会員の方だけがご覧になれます。" : "For members only.",
      );
    default:
      return undefined;
  }
}

function plainAnswer(site: Site, publisher: Publisher, text: string): Answer {
  const page = textPage(publisher, addressesOf(publisher, site.origin), text);
  return textAnswer(publisher.charset, "text/html", page, site.startedAtMs);
}

const newestOf = (articles: readonly Article[], otherwiseMs: number): number =>
  articles[0]?.publishedAtMs ?? otherwiseMs;

function directoryPage(site: Site): string {
  const entries = site.catalogue.publishers.map((publisher) => {
    const { home, feed } = addressesOf(publisher, site.origin);
    const name = escapeText(publisher.name);
    return `<li><a href="${home}">${name}</a>, <a href="${feed}">${publisher.feed.kind}</a></li>`;
  });
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Demo publishers</title>
<h1>Demo publishers</h1><ul>${entries.join("\n")}</ul></html>`;
}
