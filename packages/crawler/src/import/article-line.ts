import { CATEGORIES } from "@feed/domain/article";
import type { Category } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { SourceId } from "@feed/domain/ids";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject } from "ajv/dist/2020.js";
import { canonicalUrlOf, contentIdOf } from "../identity.ts";
import type { ArticleDraft } from "../ingest/article-draft.ts";
import { URL_CHARS_MAX } from "@feed/safe-fetch";
import { AUTHOR_CHARS_MAX, TITLE_CHARS_MAX } from "../limits.ts";
import { paragraphsOf } from "./paragraphs.ts";

/** One article of a JSON Lines file. */
export interface ArticleLine {
  /** The publisher's own id; without it the address identifies the article. */
  readonly id?: string;
  readonly source_id: string;
  readonly url: string;
  readonly title: string;
  /** Exactly one of the two bodies. HTML is cleaned as a crawled article's is. */
  readonly body_html?: string;
  /** Paragraphs parted by blank lines; without any, each line is a paragraph. */
  readonly body_text?: string;
  readonly author?: string;
  readonly published_at: string;
  /** BCP 47; worked out where it is missing. */
  readonly language?: string;
  /** One of the service's categories, else a label that helps to find it. */
  readonly category?: string;
  readonly picture_url?: string;
  /** For a source that is created: its name and top page. */
  readonly source_name?: string;
  readonly source_url?: string;
}

/** What is wrong with a line: where in it (JSON Pointer, empty for the whole) and what. */
export interface LineProblem {
  readonly pointer: string;
  readonly problem: string;
}

const BODY_CHARS_MAX = 2_000_000;
const webAddress = { type: "string", format: "web-address", maxLength: URL_CHARS_MAX } as const;
const filled = (maxLength: number) => ({ type: "string", minLength: 1, maxLength, pattern: "\\S" });

/** Unknown fields are refused: a mistyped name must not lose what it holds. */
const SCHEMA = {
  type: "object",
  required: ["source_id", "url", "title", "published_at"],
  oneOf: [{ required: ["body_html"] }, { required: ["body_text"] }],
  additionalProperties: false,
  properties: {
    id: filled(500),
    source_id: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
    url: webAddress,
    title: filled(TITLE_CHARS_MAX),
    body_html: { type: "string", maxLength: BODY_CHARS_MAX },
    body_text: { type: "string", maxLength: BODY_CHARS_MAX },
    author: filled(AUTHOR_CHARS_MAX),
    published_at: { type: "string", format: "instant" },
    language: { type: "string", pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$" },
    category: filled(100),
    picture_url: webAddress,
    source_name: filled(200),
    source_url: webAddress,
  },
};

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[+-]\d{2}:?\d{2})$/;

const ajv = new Ajv2020({ allErrors: true });
ajv.addFormat("web-address", (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""));
ajv.addFormat("instant", (text: string) => instantMs(text) !== undefined);
const isArticleLine = ajv.compile<ArticleLine>(SCHEMA);

/** A line of the file as an article, or what is wrong with it. */
export function parseArticleLine(
  line: string,
): { readonly article: ArticleLine } | { readonly problems: readonly LineProblem[] } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problems: [{ pointer: "", problem: "is not JSON" }] };
  }
  if (isArticleLine(value)) return { article: value };
  const errors = isArticleLine.errors ?? [];
  // The branches of `oneOf` complain one by one; its own error says what is meant.
  const telling = errors.filter(({ schemaPath }) => !schemaPath.startsWith("#/oneOf/"));
  return { problems: telling.map(problemOf) };
}

export function draftOf(line: ArticleLine): ArticleDraft {
  const sourceId = asId<SourceId>(line.source_id);
  const canonicalUrl = canonicalUrlOf(line.url);
  const category = categoryOf(line.category);
  const isLabel = line.category !== undefined && category === undefined;
  return {
    contentId: contentIdOf(sourceId, line.id ?? canonicalUrl),
    sourceId,
    url: line.url,
    canonicalUrl,
    title: line.title.replaceAll(/\s+/g, " ").trim(),
    html: line.body_html ?? paragraphsOf(line.body_text ?? ""),
    baseUrl: line.url,
    leadPictureUrls: line.picture_url === undefined ? [] : [line.picture_url],
    labels: isLabel ? [line.category] : [],
    ...(line.author === undefined ? {} : { author: line.author.trim() }),
    ...(category === undefined ? {} : { category }),
    ...(line.language === undefined ? {} : { language: primaryLanguage(line.language) }),
    publishedAtMs: instantMs(line.published_at) ?? 0,
  };
}

function problemOf({ instancePath, keyword, message, params }: ErrorObject): LineProblem {
  if (keyword === "oneOf")
    return { pointer: "", problem: "must have exactly one of body_html and body_text" };
  if (keyword === "additionalProperties")
    return { pointer: `/${String(params["additionalProperty"])}`, problem: "is no known field" };
  return { pointer: instancePath, problem: message ?? keyword };
}

function categoryOf(text: string | undefined): Category | undefined {
  const folded = text?.toLowerCase();
  return CATEGORIES.find((category) => category === folded);
}

function primaryLanguage(tag: string): string {
  return (tag.split("-")[0] ?? tag).toLowerCase();
}

/** RFC 3339, seconds optional; 31 February is none. */
function instantMs(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const timeMs = Date.parse(text.replace(" ", "T"));
  const day = Number(text.slice(8, 10));
  const daysInMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0));
  return Number.isFinite(timeMs) && day <= daysInMonth.getUTCDate() ? timeMs : undefined;
}
