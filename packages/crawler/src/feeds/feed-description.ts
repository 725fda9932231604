import type { parseFeed } from "feedsmith";
import { plainText } from "../plain-text.ts";

/** What a feed says about itself. */
export interface FeedDescription {
  readonly title?: string;
  /** The site it belongs to, as written. */
  readonly siteUrl?: string;
}

const TITLE_CHARS_MAX = 100;

export function describeFeed(parsed: ReturnType<typeof parseFeed<string>>): FeedDescription {
  const { title, siteUrl } = fieldsOf(parsed);
  const plain = plainText(title ?? "", TITLE_CHARS_MAX);
  return {
    ...(plain === "" ? {} : { title: plain }),
    ...(siteUrl === undefined ? {} : { siteUrl }),
  };
}

type Fields = Readonly<Record<"title" | "siteUrl", string | undefined>>;

function fieldsOf(parsed: ReturnType<typeof parseFeed<string>>): Fields {
  switch (parsed.format) {
    case "rss":
    case "rdf":
      return { title: parsed.feed.title, siteUrl: parsed.feed.link };
    case "json":
      return { title: parsed.feed.title, siteUrl: parsed.feed.home_page_url };
    case "atom": {
      const links = parsed.feed.links ?? [];
      const site = links.find(({ rel }) => rel === undefined || rel === "alternate");
      return { title: parsed.feed.title?.value, siteUrl: site?.href };
    }
  }
}
