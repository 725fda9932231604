/** What a body may contain: the table of spec 2.3, attribute by tag. */

const NOTHING: readonly string[] = [];

const ATTRIBUTES_BY_TAG: Readonly<Record<string, readonly string[]>> = {
  p: NOTHING,
  br: NOTHING,
  hr: NOTHING,
  h1: NOTHING,
  h2: NOTHING,
  h3: NOTHING,
  h4: NOTHING,
  h5: NOTHING,
  h6: NOTHING,
  ul: NOTHING,
  ol: ["start"],
  li: NOTHING,
  blockquote: NOTHING,
  pre: NOTHING,
  code: NOTHING,
  em: NOTHING,
  strong: NOTHING,
  b: NOTHING,
  i: NOTHING,
  u: NOTHING,
  s: NOTHING,
  del: NOTHING,
  sub: NOTHING,
  sup: NOTHING,
  a: ["href", "title"],
  img: ["src", "alt", "title", "width", "height"],
  figure: NOTHING,
  figcaption: NOTHING,
  table: NOTHING,
  thead: NOTHING,
  tbody: NOTHING,
  tfoot: NOTHING,
  tr: NOTHING,
  th: ["colspan", "rowspan"],
  td: ["colspan", "rowspan"],
  dl: NOTHING,
  dt: NOTHING,
  dd: NOTHING,
};

const byTag = new Map(Object.entries(ATTRIBUTES_BY_TAG));

export const ALLOWED_TAGS: readonly string[] = [...byTag.keys()];

/** Every attribute that some tag may carry. */
export const ALLOWED_ATTRIBUTES: readonly string[] = [...new Set([...byTag.values()].flat())];

/** The attributes `tag` may carry; undefined: the tag itself is not allowed. */
export function attributesOf(tag: string): readonly string[] | undefined {
  return byTag.get(tag);
}

const WHOLE_NUMBER = /^-?\d{1,9}$/;
const NUMERIC = new Set(["width", "height", "colspan", "rowspan", "start"]);

/**
 * Whether `value` may stand in `attribute`: http(s) addresses, whole numbers, any text in the
 * rest.
 */
export function isAllowedValue(attribute: string, value: string): boolean {
  if (attribute === "href" || attribute === "src") return isHttpUrl(value);
  return NUMERIC.has(attribute) ? WHOLE_NUMBER.test(value) : true;
}

/** Absolute http or https address; nothing else is a link or a picture in a body (spec 2.3). */
export function isHttpUrl(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value);
}
