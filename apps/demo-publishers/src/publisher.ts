import type { PublisherText } from "./content/publisher-text.ts";

/** The feed formats a crawler meets: RSS 2.0, Atom (RFC 4287), RSS 1.0 in RDF, JSON Feed 1.1. */
export type FeedKind = "rss" | "atom" | "rdf" | "json";

/** How one publisher's site is built. Each differs in what a crawler has to cope with. */
export interface Publisher {
  readonly slug: string;
  readonly name: string;
  readonly tagline: string;
  readonly language: "ja" | "en";
  readonly titleRewriteAllowed: boolean;
  readonly colour: string;
  /** Further colours of its pictures, dark to light. */
  readonly palette: readonly string[];
  readonly feed: {
    readonly kind: FeedKind;
    readonly file: string;
    /** `full`: the whole body; `summary`: the lead only, so the page has to be fetched. */
    readonly content: "full" | "summary";
    /** Added to links in the feed; the page's canonical link is without it. */
    readonly trackingQuery?: string;
  };
  readonly charset: "utf-8" | "shift_jis";
  readonly articleFolder: string;
  readonly articleSuffix: string;
  readonly layout: "classic" | "magazine" | "rule" | "boxed";
  readonly typeface: "sans" | "serif";
  /** Where the page says when it was published. */
  readonly publishedIn: "json-ld" | "meta" | "time-element";
  /** How the page embeds pictures. */
  readonly pictureMarkup: "plain" | "srcset" | "lazy" | "picture-element";
  readonly pictureFormat: "jpg" | "png";
  readonly text: PublisherText;
}
