import type { Article } from "./article.ts";
import { composeArticle } from "./compose.ts";
import type { Assignment } from "./compose.ts";
import type { Story } from "./content/publisher-text.ts";
import type { Publisher } from "./publisher.ts";
import { hash32, seeded } from "./random.ts";
import { WIRE_STORIES } from "./wire-stories.ts";

const SPREAD_MS = 10 * 24 * 60 * 60 * 1000;

/** The newest article is at least this old, so that no clock calls it future. */
const AGE_MIN_MS = 3 * 60 * 1000;

/** Above 1, recent hours hold more articles than old ones. */
const RECENCY_EXPONENT = 1.8;

/** Articles added while running are kept up to this many for each publisher; the oldest go first. */
const ADDED_MAX = 200;

/** All articles of all publishers; grows by `publish`. */
export class Catalogue {
  readonly publishers: readonly Publisher[];
  readonly #articles: ReadonlyMap<string, Map<string, Article>>;
  #addedTotal = 0;

  constructor(publishers: readonly Publisher[], nowMs: number) {
    this.publishers = publishers;
    const written = publishers.flatMap((publisher) => articlesOf(publisher, nowMs));
    const all = [...written, ...wireCopies(publishers, written)];
    this.#articles = new Map(
      publishers.map(({ slug }) => [
        slug,
        new Map(
          all.filter((article) => article.slug === slug).map((article) => [article.id, article]),
        ),
      ]),
    );
  }

  get articleCount(): number {
    return this.publishers.reduce((sum, { slug }) => sum + this.newestFirst(slug).length, 0);
  }

  find(slug: string, id: string): Article | undefined {
    return this.#articles.get(slug)?.get(id);
  }

  newestFirst(slug: string): readonly Article[] {
    const articles = [...(this.#articles.get(slug)?.values() ?? [])];
    return articles.sort((a, b) => b.publishedAtMs - a.publishedAtMs || (a.id < b.id ? -1 : 1));
  }

  /**
   * Adds one article: a round-up of two of the publisher's subjects, with a number in its title.
   * Without a slug the publishers take turns. Throws RangeError for a slug nobody has.
   */
  publish(slug: string | undefined, publishedAtMs: number): Article {
    const turn = this.publishers[this.#addedTotal % this.publishers.length];
    const publisher =
      slug === undefined ? turn : this.publishers.find((each) => each.slug === slug);
    if (publisher === undefined) throw new RangeError(`no demo publisher is called ${slug ?? ""}`);
    this.#addedTotal += 1;
    const article = composeArticle(roundUp(publisher, this.#addedTotal), publishedAtMs);
    const shelf = this.#articles.get(publisher.slug);
    shelf?.set(article.id, article);
    if (shelf !== undefined && this.#addedTotal > ADDED_MAX) {
      const oldest = this.newestFirst(publisher.slug).at(-1);
      if (oldest !== undefined) shelf.delete(oldest.id);
    }
    return article;
  }
}

function articlesOf(publisher: Publisher, nowMs: number): readonly Article[] {
  const assignments: readonly Assignment[] = publisher.text.kinds.flatMap((kind) =>
    kind.stories.map((story, ordinal) => ({ publisher, kind, story, ordinal })),
  );
  const random = seeded(`times of ${publisher.slug}`);
  return random.shuffled(assignments).map((assignment, index) => {
    const age = ((index + random.next()) / assignments.length) ** RECENCY_EXPONENT;
    const ageMs = AGE_MIN_MS + Math.floor(age * (SPREAD_MS - AGE_MIN_MS));
    return composeArticle(assignment, nowMs - ageMs);
  });
}

/** The same agency story with a second publisher: another title, nearly the same text, some time ahead. */
function wireCopies(
  publishers: readonly Publisher[],
  written: readonly Article[],
): readonly Article[] {
  return WIRE_STORIES.map((wire) => {
    const original = written.find((article) => article.title === wire.originalTitle);
    const publisher = publishers.find(({ slug }) => slug === wire.secondSlug);
    if (original === undefined || publisher === undefined) {
      throw new Error(`the wire story "${wire.title}" names an unknown article or publisher`);
    }
    // A link to the first publisher's own pages would lead nowhere here.
    const blocks = original.blocks.filter((block) => block.kind !== "related");
    const id = hash32(`${publisher.slug}/${wire.title}`).toString(36).padStart(7, "0");
    return {
      ...original,
      id,
      slug: publisher.slug,
      title: wire.title,
      author: wire.agency,
      blocks: [...blocks, { kind: "paragraph", text: wire.credit }],
      publishedAtMs: original.publishedAtMs - wire.aheadMs,
    };
  });
}

function roundUp(publisher: Publisher, number: number): Assignment {
  const random = seeded(`round-up ${number} of ${publisher.slug}`);
  const kind = random.pick(publisher.text.kinds);
  const [first, second] = random.shuffled(kind.stories);
  if (first === undefined || second === undefined) throw new Error("a round-up needs two stories");
  const japanese = publisher.language === "ja";
  const story: Story = {
    title: japanese
      ? `【${kind.category}短信${number}】${first.thing}のその後、${second.place}でも新しい動き`
      : `${kind.category} notebook ${number}: more on ${first.thing}, and news from ${second.place}`,
    lead: japanese
      ? `${first.thing}をめぐり、${first.who}が${first.place}で続報を明らかにした。反響は予想を超えたという。`
      : `There is more to tell about ${first.thing}: ${first.who} gave us an update in ${first.place}.`,
    fact: japanese
      ? `一方、${second.place}では${second.thing}に関わる人が増え、${second.who}も手応えを感じている。`
      : `Meanwhile in ${second.place}, interest in ${second.thing} grows, says ${second.who}.`,
    thing: first.thing,
    who: first.who,
    place: second.place,
  };
  return { publisher, kind, story, ordinal: number };
}
