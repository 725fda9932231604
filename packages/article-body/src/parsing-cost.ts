import { defaultTreeAdapter, parse } from "parse5";
import { ArticleBodyError } from "./body-error.ts";

/** What a document may cost its parser and whoever walks its tree afterwards. */
export interface ParsingLimits {
  /** Elements and comments, those included that the parser opens again; text lies between them. */
  readonly nodesMax: number;
  /** Open elements at once. */
  readonly depthMax: number;
  /** Attributes of one element. */
  readonly attributesMax: number;
}

/** Open elements of all nodes together: document models walk up to the root at each change. */
const ANCESTORS_MAX = 1_000_000;

/**
 * parse5's tree that gives up as soon as a limit is passed: a short text grows into millions of nodes,
 * so counting afterwards would be too late.
 */
export function countingAdapter(limits: ParsingLimits): typeof defaultTreeAdapter {
  const { nodesMax, depthMax, attributesMax } = limits;
  const count = { nodes: 0, depth: 0, ancestors: 0 };
  const countNode = (): void => {
    count.nodes += 1;
    count.ancestors += count.depth;
    if (count.nodes > nodesMax) throw tooMuch("body-too-many-nodes", `more than ${nodesMax} nodes`);
    if (count.ancestors > ANCESTORS_MAX) throw tooMuch("body-too-deep", "deep nesting throughout");
  };
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespaceUri, attributes) {
      countNode();
      if (attributes.length > attributesMax) {
        const what = `an element with more than ${attributesMax} attributes`;
        throw tooMuch("body-too-many-attributes", what);
      }
      return defaultTreeAdapter.createElement(tagName, namespaceUri, attributes);
    },
    createCommentNode(data) {
      countNode();
      return defaultTreeAdapter.createCommentNode(data);
    },
    onItemPush() {
      count.depth += 1;
      if (count.depth > depthMax) throw tooMuch("body-too-deep", `nesting deeper than ${depthMax}`);
    },
    onItemPop() {
      count.depth -= 1;
    },
  };
}

/**
 * Parses a whole page with scripts off, as a reader of it will, and keeps nothing: some milliseconds for
 * 100 kB, so that a slower parser is only given what it can take.
 *
 * @throws ArticleBodyError where the document passes a limit
 */
export function assertAffordable(html: string, limits: ParsingLimits): void {
  parse(html, { treeAdapter: countingAdapter(limits), scriptingEnabled: false });
}

function tooMuch(code: ArticleBodyError["code"], what: string): ArticleBodyError {
  return new ArticleBodyError(code, `the document has ${what}`);
}
