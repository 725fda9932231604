import type { Article, Block } from "./article.ts";
import { COMMON_SENTENCES } from "./content/common-sentences.ts";
import type { Story, StoryKind } from "./content/publisher-text.ts";
import type { Publisher } from "./publisher.ts";
import { hash32, seeded } from "./random.ts";
import type { Seeded } from "./random.ts";

/** One article in this many has no picture, as with real publishers. */
const PICTURELESS_EVERY = 14;

/** A story with its place in its kind; the place decides which bank sentences it takes. */
export interface Assignment {
  readonly publisher: Publisher;
  readonly kind: StoryKind;
  readonly story: Story;
  readonly ordinal: number;
}

/** A short stable name, unlike those of other stories; it becomes part of the address. */
function articleIdOf(slug: string, story: Story): string {
  return hash32(`${slug}/${story.title}`).toString(36).padStart(7, "0");
}

/**
 * Writes the article: hand-written lead and fact, then sentences of the kind's banks. Stories of one
 * kind take different sets from each bank, so two of them never share more than half their sentences.
 */
export function composeArticle(assignment: Assignment, publishedAtMs: number): Article {
  const { publisher, kind, story, ordinal } = assignment;
  const id = articleIdOf(publisher.slug, story);
  const seed = seeded(id);
  const fill = (template: string): string => fillSlots(template, story, seed);
  const hasPicture = hash32(`${id} picture`) % PICTURELESS_EVERY !== 0;
  const lead = fill(story.lead);
  // Stories with the same quote get different outlooks.
  const outlookAt = ordinal + Math.floor(ordinal / kind.quotes.length);
  const quote = fill(takeOne(kind.quotes, ordinal));
  const join = publisher.language === "ja" ? "" : " ";
  const background = takeSome(
    kind.background,
    2,
    ordinal,
    `${publisher.slug} ${kind.category} background`,
  ).map(fill);
  const details = takeSome(
    kind.details,
    3,
    ordinal,
    `${publisher.slug} ${kind.category} details`,
  ).map(fill);
  const common = takeSome(
    COMMON_SENTENCES[publisher.language],
    4,
    hash32(id),
    `common sentences in ${publisher.language}`,
  ).map(fill);
  const blocks: Block[] = [
    paragraph(lead),
    paragraph([fill(story.fact), background[0] ?? ""].join(join)),
    ...(ordinal % 3 === 0
      ? [{ kind: "heading" as const, text: takeOne(kind.headings, ordinal) }]
      : []),
    paragraph(details.join(join)),
    ...insertOf(assignment, hasPicture, fill),
    spoken(publisher, story, quote, ordinal),
    paragraph([background[1] ?? "", common[0] ?? "", common[1] ?? ""].join(join)),
    paragraph([...common.slice(2), fill(takeOne(kind.outlook, outlookAt))].join(join)),
    ...relatedOf(assignment),
  ];
  return {
    id,
    slug: publisher.slug,
    title: story.title,
    summary: lead,
    author: takeOne(publisher.text.authors, ordinal),
    category: kind.category,
    blocks,
    publishedAtMs,
    scene: hasPicture ? takeOne(kind.scenes, ordinal) : undefined,
    pictureSeed: id,
  };
}

const paragraph = (text: string): Block => ({ kind: "paragraph", text });

function takeOne<T>(bank: readonly T[], ordinal: number): T {
  const item = bank[ordinal % bank.length];
  if (item === undefined) throw new Error("a sentence bank is empty");
  return item;
}

/** The ordinal-th of all ways to take `count` sentences, in an order set by the seed. */
function takeSome(
  bank: readonly string[],
  count: number,
  ordinal: number,
  seedName: string,
): readonly string[] {
  return takeOne(shuffledCombinations(bank, count, seedName), ordinal);
}

const combinationsBySeed = new Map<string, readonly (readonly string[])[]>();

function shuffledCombinations(
  bank: readonly string[],
  count: number,
  seedName: string,
): readonly (readonly string[])[] {
  const known = combinationsBySeed.get(seedName);
  if (known !== undefined) return known;
  const made = seeded(seedName).shuffled(combinations(bank, count));
  combinationsBySeed.set(seedName, made);
  return made;
}

function combinations(bank: readonly string[], count: number): readonly (readonly string[])[] {
  if (count === 0) return [[]];
  return bank.flatMap((first, at) =>
    combinations(bank.slice(at + 1), count - 1).map((rest) => [first, ...rest]),
  );
}

/** {thing} {who} {place}, {low-high} for a number and {a/b/c} for one of several words. */
function fillSlots(template: string, story: Story, seed: Seeded): string {
  return template.replace(/\{([^{}]+)\}/g, (_whole, slot: string, offset: number) => {
    if (slot === "thing" || slot === "who" || slot === "place") {
      const startsSentence = offset === 0 || template.slice(0, offset).endsWith(". ");
      return startsSentence ? capitalised(story[slot]) : story[slot];
    }
    const range = /^(\d+)-(\d+)$/.exec(slot);
    if (range !== null) return String(numberBetween(Number(range[1]), Number(range[2]), seed));
    return seed.pick(slot.split("/"));
  });
}

/** As round as the limits are: prices and crowds read like prices and crowds. */
function numberBetween(low: number, high: number, seed: Seeded): number {
  const isMultiple = (step: number): boolean => low % step === 0 && high % step === 0;
  const step = high >= 1000 && isMultiple(100) ? 100 : high >= 200 && isMultiple(10) ? 10 : 1;
  return seed.integer(low / step, high / step) * step;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What interrupts the running text: code, a list, a table, a picture or a few plain lines. */
function insertOf(
  { publisher, kind, story, ordinal }: Assignment,
  hasPicture: boolean,
  fill: (template: string) => string,
): readonly Block[] {
  const form = ordinal % 4;
  if (kind.code.length > 0 && ordinal % 2 === 0) {
    return [{ kind: "code", text: takeOne(kind.code, ordinal / 2) }];
  }
  const round = Math.floor(ordinal / 4);
  if (form === 0 && kind.lists.length > 0) {
    const list = takeOne(kind.lists, round);
    return [
      { kind: "heading", text: fill(list.heading) },
      { kind: "list", ordered: round % 2 === 0, items: list.items.map(fill) },
    ];
  }
  if (form === 1 && kind.tables.length > 0) {
    const table = takeOne(kind.tables, round);
    const rows = table.rows.map(({ label, value }) => ({ label, value: fill(value) }));
    return [
      { kind: "heading", text: fill(table.heading) },
      { kind: "table", rows },
    ];
  }
  if (form === 2 && hasPicture) {
    const caption =
      publisher.language === "ja"
        ? `${story.place}、${story.thing}のイメージ（画像：${publisher.name}）`
        : `${capitalised(story.thing)}, ${story.place}. Illustration: ${publisher.name}`;
    return [{ kind: "figure", caption }];
  }
  const labels =
    publisher.language === "ja" ? ["話題", "場所", "取材先"] : ["Subject", "Where", "Source"];
  const values = [story.thing, story.place, story.who].map(capitalised);
  return [{ kind: "lines", lines: labels.map((label, at) => `${label}: ${values[at] ?? ""}`) }];
}

function spoken(publisher: Publisher, story: Story, quote: string, ordinal: number): Block {
  if (ordinal % 3 === 2) return { kind: "quote", text: quote, by: capitalised(story.who) };
  if (publisher.language === "ja") {
    const after = takeOne(["と話す。", "と語った。", "と振り返る。", "と説明する。"], ordinal);
    return { kind: "statement", before: `${story.who}は`, said: `「${quote}」`, after };
  }
  const after = takeOne([` said ${story.who}.`, ` ${story.who} told us.`], ordinal);
  return { kind: "statement", before: "", said: `“${quote.replace(/\.$/, ",")}”`, after };
}

/** Some articles end with a link to the one before them in their kind. */
function relatedOf({ publisher, kind, ordinal }: Assignment): readonly Block[] {
  const other = kind.stories[ordinal - 1];
  if (other === undefined || ordinal % 2 === 0) return [];
  const before = publisher.language === "ja" ? "あわせて読みたい：" : "Read next: ";
  const articleId = articleIdOf(publisher.slug, other);
  return [{ kind: "related", before, articleId, text: other.title }];
}
