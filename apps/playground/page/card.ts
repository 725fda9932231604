import type { Explanation, FeedItem } from "./service.ts";

export type CardAction = "click" | "like" | "dislike" | "share" | "follow" | "block";

const ACTIONS: readonly { readonly action: CardAction; readonly label: string }[] = [
  { action: "like", label: "Like" },
  { action: "dislike", label: "Dislike" },
  { action: "share", label: "Share" },
  { action: "follow", label: "Follow source" },
  { action: "block", label: "Block source" },
];

const FOUND_BY: Readonly<Record<string, string>> = {
  interest: "close to what you clicked",
  fresh: "new",
  popular: "popular with readers here",
  area: "about your area",
  followed: "from a source you follow",
  exploration: "something new to try",
  pin: "pinned by the scenario",
  rule: "lifted by a rule of the scenario",
};

const RULES: Readonly<Record<string, string>> = {
  source_cap: "moved up: its rival's source had its share",
  category_cap: "moved up: its rival's category had its share",
  similar_to_others: "moved up for variety",
  pin: "pinned",
  exploration: "placed to explore",
};

/** One article as a card; `act` is told what the reader did. */
export function cardOf(
  item: FeedItem,
  arrived: boolean,
  signedIn: boolean,
  act: (action: CardAction, item: FeedItem) => void,
): HTMLElement {
  const card = element("article", { className: arrived ? "card arrived" : "card" });
  card.dataset["contentId"] = item.id;
  card.append(pictureOf(item), textOf(item, act), whyOf(item), actionsOf(item, signedIn, act));
  return card;
}

/** Loaded pictures move on to the next feed's cards instead of being asked for again. */
const pictures = new Map<string, HTMLImageElement>();

function pictureOf({ thumbnail }: FeedItem): HTMLImageElement {
  const known = pictures.get(thumbnail.url);
  if (known !== undefined) return known;
  const { url: src, width, height } = thumbnail;
  const picture = element("img", { src, width, height, alt: "" });
  pictures.set(thumbnail.url, picture);
  return picture;
}

function textOf(item: FeedItem, act: (action: CardAction, item: FeedItem) => void): HTMLElement {
  const text = element("div", { className: "text" });
  const meta = element("div", { className: "meta" });
  meta.append(
    element("b", { textContent: item.source.name }),
    element("span", { textContent: age(item.published_at) }),
  );
  const open = element("button", { textContent: item.title, type: "button" });
  open.addEventListener("click", () => act("click", item));
  const title = element("h3", {});
  title.append(open);
  text.append(meta, title, element("p", { className: "summary", textContent: item.summary }));
  return text;
}

function whyOf({ explanation, score }: FeedItem): HTMLElement {
  const why = element("div", { className: "why" });
  if (explanation === undefined) return why;
  why.append(element("p", { textContent: `Here because it is ${reasons(explanation)}.` }));
  const bar = element("div", { className: "parts" });
  const { relevance, freshness, engagement, quality } = explanation.parts;
  for (const part of [relevance, freshness, engagement, quality]) {
    const slice = element("i", {});
    slice.style.flex = `0 0 ${(part * 100).toFixed(1)}%`;
    bar.append(slice);
  }
  const boosts = Object.entries(explanation.boosts).filter(([, factor]) => factor !== 1);
  const figures = [
    `score ${score.toFixed(2)}`,
    `relevance ${relevance.toFixed(2)}`,
    `fresh ${freshness.toFixed(2)}`,
    `popular ${engagement.toFixed(2)}`,
    `quality ${quality.toFixed(2)}`,
    ...boosts.map(([name, factor]) => `${name.replace("_", " ")} ×${factor.toFixed(2)}`),
    ...(explanation.ranking_rules ?? []).map(({ match, factor }) => `${match} rule ×${factor}`),
  ];
  why.append(bar, element("p", { className: "legend", textContent: figures.join(" · ") }));
  return why;
}

/** The strongest reasons: a likeness says more than the legs that found it. */
function reasons({ found_by, because_of, rule }: Explanation): string {
  const because = because_of === undefined ? [] : [`like “${because_of.title}”`];
  const weak = new Set(because_of === undefined ? [] : ["interest", "exploration", "fresh"]);
  const found = found_by.filter((name) => !weak.has(name)).map((name) => FOUND_BY[name] ?? name);
  const moved = rule === undefined ? [] : [RULES[rule] ?? rule];
  return [...because, ...found, ...moved].join("; ");
}

function actionsOf(
  item: FeedItem,
  signedIn: boolean,
  act: (action: CardAction, item: FeedItem) => void,
): HTMLElement {
  const actions = element("div", { className: "actions" });
  for (const { action, label } of signedIn ? ACTIONS : []) {
    const button = element("button", { textContent: label, type: "button" });
    button.dataset["action"] = action;
    button.addEventListener("click", () => act(action, item));
    actions.append(button);
  }
  return actions;
}

function age(publishedAt: string): string {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(publishedAt)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60
    ? `${Math.round(minutes / 60)} h`
    : `${Math.round(minutes / 1_440)} days`;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}
