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
