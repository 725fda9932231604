import { attributeOf, isElement } from "./parse-html.ts";
import type { HtmlElement } from "./parse-html.ts";

/** Where lazy-loading scripts keep the address of the real picture, most specific first. */
const LAZY_SOURCES = ["data-src", "data-original", "data-lazy-src", "data-lazy", "data-url"];
const LAZY_SOURCE_SETS = ["data-srcset", "data-lazy-srcset"];
/** Wide enough for every variant the service delivers; wider candidates only cost transfer. */
const CANDIDATE_WIDTH_PX_MAX = 2048;
/** What a density of 1 is taken for. */
const DENSITY_WIDTH_PX = 640;
/** A picture this small is a counter or a spacer. */
const TRACKING_PX_MAX = 2;

/**
 * The absolute http(s) address of the picture an `img` shows a reader, lazy loading resolved.
 * Undefined where there is none, and for counters and spacers.
 */
export function pictureSource(img: HtmlElement, baseUrl: string): string | undefined {
  if (isTrackingSize(img)) return undefined;
  for (const address of candidateAddresses(img)) {
    const url = absoluteHttpUrl(address, baseUrl);
    if (url !== undefined) return url;
  }
  return undefined;
}

/** `address` made absolute against `baseUrl`, if that gives an http or https one. */
export function absoluteHttpUrl(address: string, baseUrl: string): string | undefined {
  const url = URL.parse(address.trim(), baseUrl);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  // A name and password in a link would be somebody's, and browsers hide them.
  if (url.username !== "" || url.password !== "") return undefined;
  return url.href;
}

function* candidateAddresses(img: HtmlElement): Generator<string> {
  yield* attributes(img, LAZY_SOURCES);
  yield* fromSourceSets(img, LAZY_SOURCE_SETS);
  yield* fromSourceSets(img, ["srcset"]);
  yield* attributes(img, ["src"]);
  const parent = img.parentNode;
  if (parent === null || !("tagName" in parent) || parent.tagName !== "picture") return;
  for (const sibling of parent.childNodes) {
    if (isElement(sibling) && sibling.tagName === "source") {
      yield* fromSourceSets(sibling, [...LAZY_SOURCE_SETS, "srcset"]);
    }
  }
}

function* attributes(element: HtmlElement, names: readonly string[]): Generator<string> {
  for (const name of names) {
    const value = attributeOf(element, name)?.trim();
    if (value !== undefined && value !== "") yield value;
  }
}

function* fromSourceSets(element: HtmlElement, names: readonly string[]): Generator<string> {
  for (const value of attributes(element, names)) {
    const best = bestCandidate(value);
    if (best !== undefined) yield best;
  }
}

/**
 * The widest candidate of a `srcset` that is not wasteful; densities count as multiples of 640 px.
 */
function bestCandidate(sourceSet: string): string | undefined {
  const candidates = candidatesOf(sourceSet)
    .filter(({ address }) => !address.startsWith("data:"))
    .sort((a, b) => a.widthPx - b.widthPx);
  const fitting = candidates.filter(({ widthPx }) => widthPx <= CANDIDATE_WIDTH_PX_MAX);
  return (fitting.at(-1) ?? candidates[0])?.address;
}

/** HTML, 4.8.4.2.2: an address ends at white space, or at a comma that white space follows. */
function candidatesOf(
  sourceSet: string,
): readonly { readonly address: string; readonly widthPx: number }[] {
  const candidates: { address: string; widthPx: number }[] = [];
  let address: string | undefined;
  for (const token of sourceSet.trim().split(/\s+/)) {
    const word = token.replace(/^,/, "").replace(/,$/, "");
    if (address === undefined && word !== "") {
      address = word;
      candidates.push({ address, widthPx: DENSITY_WIDTH_PX });
    } else {
      const last = candidates.at(-1);
      const size = Number.parseFloat(word);
      if (last !== undefined && size > 0)
        last.widthPx = word.endsWith("w") ? size : size * DENSITY_WIDTH_PX;
    }
    if (token.endsWith(",")) address = undefined;
  }
  return candidates;
}

function isTrackingSize(img: HtmlElement): boolean {
  return ["width", "height"].some((name) => {
    const value = attributeOf(img, name);
    return (
      value !== undefined &&
      /^\d+(px)?$/.test(value.trim()) &&
      parseInt(value, 10) <= TRACKING_PX_MAX
    );
  });
}
