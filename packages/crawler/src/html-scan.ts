export interface HtmlTag {
  /** Lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Their content is no markup: it ends at their closing tag and nowhere else. */
const RAW_TEXT = new Set(["script", "style", "textarea", "title", "iframe", "xmp"]);
/** Within these nothing is raw text (HTML, 13.2.6.5); where they really end, only a parser can tell. */
const FOREIGN = new Set(["svg", "math"]);

/**
 * The tags of a document in order, comments and raw texts skipped, in linear time whatever the
 * document: what stands unclosed at the end is left out. It needs no tree, so it is safe where
 * building one would not be.
 */
export function* tagsOf(html: string): Generator<HtmlTag> {
  // ASCII alone: other letters may change their length with their case.
  const lowered = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let isForeignSeen = false;
  for (let at = lowered.indexOf("<"); at !== -1; at = lowered.indexOf("<", at)) {
    const isComment = lowered.startsWith("<!--", at);
    const end = isComment ? lowered.indexOf("-->", at + 4) : lowered.indexOf(">", at + 1);
    if (end === -1) return;
    const endsAt = end + (isComment ? 3 : 1);
    const [, slash, name] = /^<(\/?)([a-z][a-z0-9-]*)/.exec(lowered.slice(at, at + 40)) ?? [];
    if (name === undefined) {
      // A lone `<` is text; declarations and comments are neither text nor tag.
      const isMarkup = /^<[!?/]/.test(lowered.slice(at, at + 2));
      if (isMarkup) yield { name: "!", isClosing: true, startsAt: at, endsAt };
      at = isMarkup ? endsAt : at + 1;
      continue;
    }
    const isClosing = slash === "/";
    isForeignSeen ||= FOREIGN.has(name);
    const isRaw = !isClosing && !isForeignSeen && RAW_TEXT.has(name);
    const closing = isRaw ? lowered.indexOf(`</${name}`, endsAt) : endsAt;
    yield { name, isClosing, startsAt: at, endsAt: closing === -1 ? html.length : closing };
    if (closing === -1) return;
    at = closing;
  }
}

/** What stands between the tags, each tag replaced by a space. Character references stay. */
export function textBetweenTags(html: string): string {
  let text = "";
  let at = 0;
  for (const { startsAt, endsAt } of tagsOf(html)) {
    text += `${html.slice(at, startsAt)} `;
    at = endsAt;
  }
  return text + html.slice(at);
}

/** Elements without content, and those that end where the next of their kind begins. */
const NOT_NESTING = new Set([
  ..."area base br col embed hr img input link meta source track wbr".split(" "),
  ..."p li td th tr dt dd option optgroup tbody thead tfoot colgroup rp rt".split(" "),
]);
/** A parser opens these again in every block until they are closed (HTML, 13.2.4.3). */
const FORMATTING = new Set("a b big code em font i nobr s small strike strong tt u".split(" "));

export interface HtmlCost {
  readonly tags: number;
  /** How deep a parser would nest at most. */
  readonly depth: number;
  /** How many formatting elements it would open again at most. */
  readonly reopened: number;
}

/**
 * What a tree of the document would cost; deep and unclosed markup makes parsers slow, then runs
 * out of memory.
 */
export function costOf(html: string): HtmlCost {
  const cost = { tags: 0, depth: 0, reopened: 0 };
  let open = 0;
  let formatting = 0;
  for (const { name, isClosing } of tagsOf(html)) {
    const step = isClosing ? -1 : 1;
    if (!isClosing) cost.tags += 1;
    if (FORMATTING.has(name)) formatting = Math.max(0, formatting + step);
    else if (!isClosing) cost.reopened += formatting;
    if (name === "!" || NOT_NESTING.has(name)) continue;
    open = Math.max(0, open + step);
    cost.depth = Math.max(cost.depth, open);
  }
  return cost;
}
