import type { Break, Image, InlineCode, Link, PhrasingContent } from "mdast";

/**
 * Inline Markdown that reads back as it was meant.
 *
 * CommonMark (0.31, 6.2) lets `**` open or close only by what stands on both sides of it. Between
 * Japanese letters, which no space parts, `これは**「強調」**です` has no emphasis at all. So inline
 * content is taken apart into runs, punctuation and space at the ends of a run are moved out of
 * its mark where it could not open or close, and the tree is built again.
 */

/**
 * Marks next to each other are punctuation to one another, so a run carries one: the one that says
 * most.
 */
type Mark = "delete" | "strong" | "emphasis";
const MARKS_BY_WEIGHT: readonly Mark[] = ["delete", "strong", "emphasis"];

interface TextRun {
  readonly kind: "text";
  readonly value: string;
  readonly mark: Mark | undefined;
}
interface Solid {
  readonly kind: "solid";
  readonly node: InlineCode | Image | Link | Break;
}
type Run = TextRun | Solid;

/** The same content, marks only where Markdown can show them; links keep their marks inside. */
export function showableEmphasis(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return showable(nodes, undefined);
}

function showable(nodes: readonly PhrasingContent[], mark: Mark | undefined): PhrasingContent[] {
  return settleEdges(merge(partStars(merge(takeApart(nodes, mark))))).map((run) => {
    if (run.kind === "solid") return run.node;
    const text = { type: "text", value: run.value } as const;
    return run.mark === undefined ? text : { type: run.mark, children: [text] };
  });
}

function takeApart(nodes: readonly PhrasingContent[], mark: Mark | undefined): readonly Run[] {
  return nodes.flatMap((node): readonly Run[] => {
    switch (node.type) {
      case "text":
        return [{ kind: "text", value: node.value.replaceAll("\n", " "), mark }];
      case "strong":
      case "emphasis":
      case "delete":
        return takeApart(node.children, heavier(node.type, mark));
      case "link": {
        // Marks around a link would stand next to its bracket; inside they stand next to its text.
        const children = showable(node.children.map(readableInLabel), mark);
        return children.length === 0
          ? []
          : [{ kind: "solid", node: { ...node, children } as Link }];
      }
      case "inlineCode":
      case "image":
      case "break":
        return [{ kind: "solid", node }];
      default:
        return [];
    }
  });
}

/** Not every reader finds the end of a label whose code has such characters. */
function readableInLabel(node: PhrasingContent): PhrasingContent {
  if (node.type === "inlineCode" && /[`\\[\]]/.test(node.value))
    return { type: "text", value: node.value };
  if (!("children" in node)) return node;
  return { ...node, children: node.children.map(readableInLabel) } as PhrasingContent;
}

function heavier(mark: Mark, outer: Mark | undefined): Mark | undefined {
  return MARKS_BY_WEIGHT.find((candidate) => candidate === mark || candidate === outer);
}

/** Joins what would read back as one: texts under one mark, and code next to code. */
function merge(runs: readonly Run[]): readonly Run[] {
  const merged: Run[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : join(last, run);
    if (joined === undefined) merged.push(run);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function join(first: Run, second: Run): Run | undefined {
  if (second.kind === "text" && second.value === "") return first;
  if (first.kind === "text" && second.kind === "text" && first.mark === second.mark) {
    return { ...first, value: first.value + second.value };
  }
  if (first.kind !== "solid" || second.kind !== "solid") return undefined;
  if (first.node.type !== "inlineCode" || second.node.type !== "inlineCode") return undefined;
  return {
    kind: "solid",
    node: { type: "inlineCode", value: first.node.value + second.node.value },
  };
}

/**
 * `**` and `*` next to each other read as one sign: the emphasis next to strong words is given up.
 */
function partStars(runs: readonly Run[]): readonly Run[] {
  const isStrong = (run: Run | undefined): boolean => run?.kind === "text" && run.mark === "strong";
  return runs.map((run, index) => {
    if (run.kind !== "text" || run.mark !== "emphasis") return run;
    return isStrong(runs[index - 1]) || isStrong(runs[index + 1]) ? plain(run.value) : run;
  });
}

/** Moves out of each marked run what would keep its mark from opening or closing. */
function settleEdges(runs: readonly Run[]): readonly Run[] {
  const settled = runs.flatMap((run, index): readonly Run[] => {
    if (run.kind !== "text" || run.mark === undefined) return [run];
    const openBefore = isOpenEdge(runs[index - 1], "end");
    const openAfter = isOpenEdge(runs[index + 1], "start");
    const [leading, core, trailing] = splitEdges(run.value, openBefore, openAfter);
    return [plain(leading), { ...run, value: core }, plain(trailing)];
  });
  return merge(settled);
}

function plain(value: string): TextRun {
  return { kind: "text", value, mark: undefined };
}

/**
 * Whether a mark may have punctuation on its inner side: the line's edge, space or punctuation
 * stands outside. Parsers disagree whether a symbol beyond the basic plane (an emoji) is
 * punctuation, so outside it is not.
 */
function isOpenEdge(neighbour: Run | undefined, side: "start" | "end"): boolean {
  if (neighbour === undefined) return true;
  // Code, images and links begin and end with punctuation.
  if (neighbour.kind === "solid") return true;
  // The punctuation of another mark may move out and leave a letter, so only plain text is relied on.
  if (neighbour.mark !== undefined) return false;
  const unit = side === "start" ? neighbour.value[0] : neighbour.value.at(-1);
  return unit !== undefined && /[\p{P}\p{S}\s]/u.test(unit);
}

const BRACKETS = new Map(
  ["「」", "『』", "【】", "（）", "()", "［］", "〈〉", "《》", "“”", "‘’", '""'].map((pair) => {
    const [open = "", close = ""] = pair;
    return [open, close];
  }),
);

/** What goes before the mark, stays in it, and goes behind it. */
function splitEdges(
  value: string,
  openBefore: boolean,
  openAfter: boolean,
): readonly [leading: string, core: string, trailing: string] {
  const text = value.trim();
  const start = value.length - value.trimStart().length;
  const end = start + text.length;
  const [before, after] = punctuationAround(text);
  if (before === text.length) return [value, "", ""];
  // Space that moves out opens the edge, and a pair of brackets goes in or out together.
  const mayOpen = openBefore || start > 0;
  const mayClose = openAfter || end < value.length;
  const paired = BRACKETS.get(text[0] ?? "") === text.at(-1);
  const from = start + (mayOpen && (mayClose || !paired) ? 0 : before);
  const to = end - (mayClose && (mayOpen || !paired) ? 0 : after);
  return [value.slice(0, from), value.slice(from, to), value.slice(to)];
}

/** Lengths of the punctuation and space that `text` begins and ends with. */
function punctuationAround(text: string): readonly [before: number, after: number] {
  const isLetter = /[^\p{P}\p{S}\s]/u;
  const before = text.search(isLetter);
  if (before === -1) return [text.length, text.length];
  let after = 0;
  for (const character of [...text].reverse()) {
    if (isLetter.test(character)) break;
    after += character.length;
  }
  return [before, after];
}
