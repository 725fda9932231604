import { createHash } from "node:crypto";
import type { Article, Category } from "@feed/domain/article";
import { CATEGORIES } from "@feed/domain/article";
import { asId } from "@feed/domain/ids";
import type { ContentId, PictureId, SourceId } from "@feed/domain/ids";
import { EXCERPT_CHARS_MAX, SUMMARY_CHARS_MAX } from "@feed/domain/limits";
import type { Source } from "@feed/domain/source";
import { randomFrom } from "../random.ts";
import type { Random } from "../random.ts";
import { PEOPLE, PLACES, TOPIC_WORDS } from "./vocabulary.ts";

type Language = "en" | "ja";
export type UnembeddedArticle = Omit<Article, "embedding">;

export const SOURCES = 200;
const DAY_MS = 24 * 3_600_000;
/** Articles are spread over the month before the log is made. */
const AGE_DAYS_MAX = 30;
/** Bodies of 1.5 to 5 kB as UTF-8; a Japanese character has three bytes. */
const BODY_BYTES_MIN = 1_500;
const BODY_BYTES_MAX = 5_000;
const PARAGRAPH_SENTENCES = 4;
/** Words of its category that one story keeps coming back to. */
const STORY_WORDS = 6;
const CATEGORIES_PER_SOURCE = 3;
const SHARE_WITH_PICTURE = 0.8;
const SHARE_NEAR_DUPLICATE = 0.05;

/** Publishers, three of five in Japanese. */
export function composeSources(): readonly Source[] {
  return Array.from({ length: SOURCES }, (_, index): Source => ({
    sourceId: sourceIdOf(index),
    name: languageOf(index) === "ja" ? `新聞${index}` : `Gazette ${index}`,
    url: `https://source-${index}.example/`,
    feedUrl: `https://source-${index}.example/feed.xml`,
    titleRewriteAllowed: index % 2 === 0,
    language: languageOf(index),
    colour: "#336699",
    crawlIntervalMs: 300_000,
    // Nothing is fetched while a benchmark runs.
    paused: true,
  }));
}

export function contentIdOf(index: number): ContentId {
  return asId<ContentId>(`article-${String(index).padStart(6, "0")}`);
}

/** Category of an article, known without composing it: who clicks what is decided by it. */
export function categoryOf(index: number): Category {
  const random = randomFrom(index);
  const source = random.integer(SOURCES);
  const choice = random.integer(CATEGORIES_PER_SOURCE);
  return CATEGORIES[(source * CATEGORIES_PER_SOURCE + choice * 5) % CATEGORIES.length]!;
}

/** The same article for the same index; `nowMs` is the time the log is made. */
export function composeArticle(index: number, nowMs: number): UnembeddedArticle {
  const random = randomFrom(index);
  const source = random.integer(SOURCES);
  random.integer(CATEGORIES_PER_SOURCE);
  const language = languageOf(source);
  const category = categoryOf(index);
  const contentId = contentIdOf(index);
  const story = storyOf(category, language, random);
  const paragraphs = paragraphsOf(story, random);
  const body = paragraphs.join("\n\n");
  const publishedAtMs = nowMs - Math.floor(random.fraction() * AGE_DAYS_MAX * DAY_MS);
  const url = `https://source-${source}.example/articles/${contentId}`;
  const isCopy = index > 0 && random.fraction() < SHARE_NEAR_DUPLICATE;
  return {
    contentId,
    sourceId: sourceIdOf(source),
    revision: 1,
    url,
    canonicalUrl: url,
    title: titleOf(story, random),
    author: random.pick(PEOPLE[language]),
    summary: body.slice(0, SUMMARY_CHARS_MAX),
    excerpt: body.slice(0, EXCERPT_CHARS_MAX),
    bodyHtml: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join(""),
    bodyMarkdown: body,
    language,
    category,
    areas: [],
    ...(random.fraction() < SHARE_WITH_PICTURE && {
      thumbnail: { id: pictureIdOf(index), width: 1_200, height: 675 },
    }),
    publishedAtMs,
    fetchedAtMs: publishedAtMs,
    quality: 0.4 + random.fraction() * 0.6,
    duplicateGroup: isCopy ? contentIdOf(index - 1) : contentId,
    analysedBy: { generator: "bench-1" },
  };
}

interface Story {
  readonly language: Language;
  readonly words: readonly string[];
  readonly background: readonly string[];
  readonly place: string;
  readonly person: string;
}

function storyOf(category: Category, language: Language, random: Random): Story {
  const background = TOPIC_WORDS[category][language];
  return {
    language,
    background,
    words: Array.from({ length: STORY_WORDS }, () => random.pick(background)),
    place: random.pick(PLACES[language]),
    person: random.pick(PEOPLE[language]),
  };
}

function titleOf({ language, words, place }: Story, random: Random): string {
  const [first, second] = words;
  const number = 2 + random.integer(98);
  if (language === "ja") return `${place}の${first}、${second}を${number}件に拡大`;
  return `${place}: ${first} and ${second} reach ${number}`;
}

function paragraphsOf(story: Story, random: Random): readonly string[] {
  const bytesWanted = BODY_BYTES_MIN + random.integer(BODY_BYTES_MAX - BODY_BYTES_MIN);
  const paragraphs: string[] = [];
  for (let bytes = 0; bytes < bytesWanted;) {
    const sentences = Array.from({ length: PARAGRAPH_SENTENCES }, () => sentenceOf(story, random));
    const paragraph = sentences.join(story.language === "ja" ? "" : " ");
    paragraphs.push(paragraph);
    bytes += Buffer.byteLength(paragraph);
  }
  return paragraphs;
}

function sentenceOf({ language, words, background, place, person }: Story, random: Random): string {
  const own = random.pick(words);
  const other = random.pick(background);
  const further = random.pick(words);
  const number = 2 + random.integer(998);
  const forms =
    language === "ja"
      ? [
          `${place}では${own}をめぐり、${other}の見直しが${number}日から始まった。`,
          `${person}は「${further}がこれほど変わるとは思わなかった」と話している。`,
          `${own}に関わる${number}人が${place}に集まり、${further}と${other}について意見を交わした。`,
          `関係者によると、${other}は昨年より${number}件増え、${own}への関心も高い。`,
        ]
      : [
          `In ${place}, the ${own} has changed how people think about the ${other} since day ${number}.`,
          `"Nobody expected the ${further} to matter this much," said ${person}.`,
          `Some ${number} people came to discuss the ${own}, the ${further} and the ${other}.`,
          `According to ${person}, the ${other} grew by ${number} while the ${own} stayed the same.`,
        ];
  return random.pick(forms);
}

function languageOf(source: number): Language {
  return source % 5 < 3 ? "ja" : "en";
}

function sourceIdOf(source: number): SourceId {
  return asId<SourceId>(`source-${source}`);
}

function pictureIdOf(index: number): PictureId {
  return asId<PictureId>(createHash("sha256").update(`picture ${index}`).digest("hex"));
}
