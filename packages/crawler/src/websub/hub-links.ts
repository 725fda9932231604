import { URL_CHARS_MAX } from "@feed/safe-fetch";
import type { Fetched } from "@feed/safe-fetch";

/** A hub that distributes a feed, and what the hub calls it (WebSub, 4). */
export interface AnnouncedHub {
  readonly hubUrl: string;
  readonly topicUrl: string;
}

/** What a feed's own document says: `link` elements, or the fields of JSON Feed. As written. */
export interface HubLinks {
  readonly hubs: readonly string[];
  readonly self?: string;
}

const LINK_FIELD_CHARS_MAX = 8_000;
/** One link of a Link field (RFC 8288, 3): its target, and its parameters until the next comma outside of quotes. */
const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g;
const PARAMETER = /;\s*([\w!#$&+.^`|~*-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s",;]+)))?/g;

/**
 * The hub of a feed, by the Link fields of its answer, else by its document; undefined where neither names one.
 * Of several the first one that is reached by https (WebSub, 8).
 */
export function announcedHub(
  { url, headers }: Pick<Fetched, "url" | "headers">,
  document: HubLinks,
): AnnouncedHub | undefined {
  const field = linksOfField(headers["link"] ?? "");
  const { hubs, self = document.self } = field.hubs.length > 0 ? field : document;
  const found = hubs.flatMap((hub) => webUrl(hub, url) ?? []);
  const hubUrl = found.find((hub) => hub.startsWith("https:")) ?? found[0];
  if (hubUrl === undefined) return undefined;
  return { hubUrl, topicUrl: webUrl(self ?? url, url) ?? url };
}

function linksOfField(field: string): HubLinks {
  const targetsOf = (relation: string): readonly string[] =>
    [...field.slice(0, LINK_FIELD_CHARS_MAX).matchAll(LINK)].flatMap(([, target = "", rest = ""]) =>
      relationsIn(rest).includes(relation) ? [target] : [],
    );
  const [self] = targetsOf("self");
  return { hubs: targetsOf("hub"), ...(self === undefined ? {} : { self }) };
}

function relationsIn(parameters: string): readonly string[] {
  const named = [...parameters.matchAll(PARAMETER)];
  const [, , quoted, plain = ""] = named.find(([, name]) => name?.toLowerCase() === "rel") ?? [];
  return (quoted ?? plain).toLowerCase().split(/\s+/);
}

function webUrl(written: string, baseUrl: string): string | undefined {
  const url = URL.parse(written, baseUrl);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url !== null && isWeb && url.href.length <= URL_CHARS_MAX ? url.href : undefined;
}
