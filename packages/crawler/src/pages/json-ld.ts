const BLOCK_CHARS_MAX = 200_000;
const BLOCKS_MAX = 20;
const DEPTH_MAX = 5;
const ARTICLE_TYPE = /(Article|Posting|Report)$/;

type JsonObject = Readonly<Record<string, unknown>>;

/** The first object of an article type of schema.org in a page's JSON-LD, within `@graph` and lists too. */
export function articleOfJsonLd(document: Document): JsonObject | undefined {
  const blocks = [...document.querySelectorAll('script[type="application/ld+json"]')];
  for (const block of blocks.slice(0, BLOCKS_MAX)) {
    const text = block.textContent ?? "";
    const article = text.length > BLOCK_CHARS_MAX ? undefined : findArticle(parse(text), 0);
    if (article !== undefined) return article;
  }
  return undefined;
}

/** The texts of a value that may be one text, an object with a `url`, or a list of those. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? textsIn(value["url"]) : [];
}

/** The names of a value that may be one name, an object with a `name`, or a list of those, as one text. */
export function namesIn(value: unknown): readonly string[] {
  const all = (Array.isArray(value) ? value : [value]).flatMap((each: unknown) =>
    isObject(each) ? textsIn(each["name"]) : textsIn(each),
  );
  return all.length === 0 ? [] : [all.join(", ")];
}

function findArticle(value: unknown, depth: number): JsonObject | undefined {
  if (depth > DEPTH_MAX) return undefined;
  if (Array.isArray(value)) {
    for (const each of value) {
      const article = findArticle(each, depth + 1);
      if (article !== undefined) return article;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (textsIn(value["@type"]).some((type) => ARTICLE_TYPE.test(type))) return value;
  return findArticle(value["@graph"] ?? value["mainEntity"], depth + 1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Broken blocks are common; the other sources of metadata remain.
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
