import { asId } from "@feed/domain/ids";
import type { FeedAnswer, FeedItem } from "../index.ts";
import { contentId, HOUR_MS, openInstallation, type Installation } from "./installation.fixture.ts";

const TOPICS = {
  baseball: { category: "sports", words: "home run pitcher baseball stadium inning championship" },
  cooking: { category: "food", words: "recipe oven butter flour dessert kitchen chef" },
  space: { category: "science", words: "rocket orbit satellite astronaut launch moon mission" },
  film: { category: "culture", words: "director cinema premiere actor screenplay movie festival" },
} as const;
type TopicName = keyof typeof TOPICS;

export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[];
export const ARTICLES_PER_TOPIC = 40;
export const ARTICLES = ARTICLES_PER_TOPIC * TOPIC_NAMES.length;
const SOURCES = 8;

/** 160 articles of four topics and eight sources, one an hour; every second four are Japanese. */
export async function openWithTopics(): Promise<Installation> {
  const installation = await openInstallation();
  await installation.saveTenant();
  await installation.saveSources(...Array.from({ length: SOURCES }, (_, at) => `source-${at}`));
  for (let at = 0; at < ARTICLES; at += 1) {
    const topic = topicOf(at);
    const { category, words } = TOPICS[topic];
    const from = at % 3;
    await installation.publish(
      await installation.articleOf({
        contentId: contentId(`${topic}-${at}`),
        sourceId: asId(`source-${Math.floor(at / 4) % SOURCES}`),
        title: `${words
          .split(" ")
          .slice(from, from + 4)
          .join(" ")} ${at}`,
        summary: words,
        category,
        language: Math.floor(at / 4) % 2 === 0 ? "en" : "ja",
        publishedAtMs: installation.clock.nowMs() - (at + 1) * HOUR_MS,
      }),
    );
  }
  return installation;
}

export function topicOf(at: number): TopicName {
  return TOPIC_NAMES[at % TOPIC_NAMES.length] ?? "film";
}

export const topicCount = (items: readonly FeedItem[], topic: TopicName): number =>
  items.filter(({ content: { id } }) => id.startsWith(topic)).length;

export const click = (content: string) => ({ did: "click", content: contentId(content) }) as const;

export const ids = (items: readonly FeedItem[]): string[] => items.map(({ content: { id } }) => id);

/** The page of an answer; any other answer is thrown. */
export function pageOf(answer: FeedAnswer): Extract<FeedAnswer, { kind: "page" }> {
  if (answer.kind !== "page") throw new Error(`answered ${answer.kind}`);
  return answer;
}
