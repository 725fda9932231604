import type { parseFeed } from "feedsmith";
import { plainText } from "../plain-text.ts";
import type { HubLinks } from "../websub/hub-links.ts";

/** What a feed says about itself. */
export interface FeedDescription {
  readonly title?: string;
  /** The site it belongs to, as written. */
  readonly siteUrl?: string;
  /** Absent: it names no hub. */
  readonly hubLinks?: HubLinks;
}

const TITLE_CHARS_MAX = 100;

export function describeFeed(parsed: ReturnType<typeof parseFeed<string>>): FeedDescription {
  const { title, siteUrl } = fieldsOf(parsed);
  const plain = plainText(title ?? "", TITLE_CHARS_MAX);
  const hubLinks = hubLinksOf(parsed);
  return {
    ...(hubLinks.hubs.length === 0 ? {} : { hubLinks }),
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

/** Links of Atom, in whichever XML format (WebSub, 4); JSON Feed has fields of its own (version 1.1, `hubs`). */
function hubLinksOf(parsed: ReturnType<typeof parseFeed<string>>): HubLinks {
  if (parsed.format === "json") {
    const hubs = (parsed.feed.hubs ?? []).filter(({ type }) => type?.toLowerCase() === "websub");
    return linked(
      hubs.map(({ url }) => url),
      parsed.feed.feed_url,
    );
  }
  const links = (parsed.format === "atom" ? parsed.feed.links : parsed.feed.atom?.links) ?? [];
  return linked(
    links.filter(({ rel }) => rel === "hub").map(({ href }) => href),
    links.find(({ rel }) => rel === "self")?.href,
  );
}

function linked(hubs: readonly (string | undefined)[], self: string | undefined): HubLinks {
  return {
    hubs: hubs.filter((hub) => hub !== undefined),
    ...(self === undefined ? {} : { self }),
  };
}
