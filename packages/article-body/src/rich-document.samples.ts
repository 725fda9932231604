import * as fc from "fast-check";

/** What text is put together from: both languages, and everything that means something in Markdown. */
const WORDS = [
  ..."強調 語 abc 「引用」 。 （注） 😀 ー 　 ※ ① → ￥ 〜 ・ … 、 Ａ é “q” ’s".split(" "),
  ..."* ** _ __ ~ ~~ ` [x] ![x](y) [a]: ( ) ! = === --- 1. 1) - + # | \\ : $".split(" "),
  ..."http://a.example/x www.example.com a@b.example &lt; &lt;b&gt; &lt;http://a.example&gt; &amp;amp;".split(
    " ",
  ),
  " ",
  "\n",
  "&nbsp;",
  "<br>",
];
const MARKS = ["", "", "strong", "em", "del", "a", "code", "u", "b", "i", "s", "sub", "img"];
const HREF = "https://a.example/(x)?a=1&amp;b=[2]_*~";
const SRC = "https://cdn.example/stored_a*b(1).png";

const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const run = fc.record({ mark: fc.constantFrom(...MARKS), words });
const nestedRun = fc
  .tuple(fc.constantFrom(...MARKS), run, run)
  .map(([mark, first, second]) =>
    marked(mark, marked(first.mark, first.words) + marked(second.mark, second.words)),
  );
const line = joined(
  fc.oneof(
    run.map(({ mark, words: text }) => marked(mark, text)),
    nestedRun,
  ),
  5,
);

function marked(mark: string, text: string): string {
  if (mark === "") return text;
  if (mark === "a") return `<a href="${HREF}">${text}</a>`;
  if (mark === "img") return `<img src="${SRC}" alt="${text.replaceAll(/<[^>]*>|"/g, "")}">`;
  return `<${mark}>${text}</${mark}>`;
}

function joined(part: fc.Arbitrary<string>, partsMax: number): fc.Arbitrary<string> {
  return fc.array(part, { minLength: 1, maxLength: partsMax }).map((parts) => parts.join(""));
}

function within(tag: string, content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return content.map((html) => `<${tag}>${html}</${tag}>`);
}

const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    within("p", line),
    within("h2", line),
    within("pre", line),
    within("table", joined(within("tr", joined(within("td", line), 3)), 3)),
    within("ul", joined(within("li", fc.oneof(line, tie("block"))), 3)),
    within("ol", joined(within("li", fc.oneof(line, tie("block"))), 3)),
    within("blockquote", joined(tie("block"), 3)),
    fc.tuple(line, line).map(([term, text]) => `<dl><dt>${term}</dt><dd>${text}</dd></dl>`),
    fc.constant("<hr>"),
  ),
}));

/** Articles with every allowed construct, nested, and text that looks like Markdown. */
export const richDocument: fc.Arbitrary<string> = joined(block, 4);
