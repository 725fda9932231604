import type { Article } from "../article.ts";
import type { Publisher } from "../publisher.ts";
import { bodyHtml, escapeText, pictureHtml } from "./markup.ts";
import type { Addresses } from "./markup.ts";

const FEED_TYPES: Readonly<Record<Publisher["feed"]["kind"], string>> = {
  rss: "application/rss+xml",
  atom: "application/atom+xml",
  rdf: "application/rdf+xml",
  json: "application/feed+json",
};

const LAZY_SCRIPT =
  '<script>for (const i of document.querySelectorAll("img.lazy")) ' +
  "{ i.srcset = i.dataset.srcset; i.src = i.dataset.src }</script>";

const WORDS = {
  ja: {
    home: "トップ",
    about: "このサイトについて",
    members: "会員ページ",
    popular: "よく読まれている記事",
    letter: "メールマガジン",
    letterText: "毎朝7時に、編集部が選んだ記事をお届けします。",
    share: ["共有する", "保存する", "印刷する"],
    published: "公開",
    fiction: "登場する人物・団体・出来事はすべて架空のものです。",
  },
  en: {
    home: "Home",
    about: "About us",
    members: "Members",
    popular: "Most read",
    letter: "Newsletter",
    letterText: "Our editors’ choice in your inbox every morning at seven.",
    share: ["Share", "Save", "Print"],
    published: "Published",
    fiction: "All people, organisations and events on this site are fictional.",
  },
} as const;

/** The page of one article, with everything around it that a real one has. */
export function articlePage(
  publisher: Publisher,
  article: Article,
  others: readonly Article[],
  addresses: Addresses,
): string {
  const words = WORDS[publisher.language];
  const picture =
    article.scene === undefined
      ? ""
      : `<figure class="lead-picture">${pictureHtml(publisher, article, addresses, "lead")}</figure>`;
  const main = `<main>
<p class="breadcrumb"><a href="${addresses.home}">${words.home}</a> › ${escapeText(article.category)}</p>
<article>
<h1>${escapeText(article.title)}</h1>
<div class="byline"><span class="label">${escapeText(article.category)}</span>
<span class="author" rel="author">${escapeText(article.author)}</span> ${timeHtml(publisher, article)}</div>
${picture}
<div class="article-body">
${bodyHtml(publisher, article, addresses)}
</div>
</article>
<div class="share">${words.share.map((word) => `<a href="#">${word}</a>`).join("")}</div>
</main>`;
  const popular = others
    .slice(0, 6)
    .map(
      (other) => `<li><a href="${addresses.article(other.id)}">${escapeText(other.title)}</a></li>`,
    )
    .join("");
  const aside = `<aside><section><h2>${words.popular}</h2><ol>${popular}</ol></section>
<section><h2>${words.letter}</h2><p>${words.letterText}</p></section></aside>`;
  const title = `${article.title} | ${publisher.name}`;
  return documentHtml(
    publisher,
    addresses,
    title,
    articleHead(publisher, article, addresses),
    main + aside,
  );
}

/** The publisher's front page: its articles as cards, newest first. */
export function homePage(
  publisher: Publisher,
  articles: readonly Article[],
  addresses: Addresses,
): string {
  const card = (article: Article): string => {
    const picture =
      article.scene === undefined
        ? ""
        : `<img src="${addresses.picture(article, "lead", 480)}" alt="" width="480" height="270">`;
    return `<div><a href="${addresses.article(article.id)}">${picture}<h3>${escapeText(article.title)}</h3>
<p>${escapeText(article.summary)}</p></a></div>`;
  };
  const head = `<meta name="description" content="${escapeText(publisher.tagline)}">`;
  const cards = `<main class="cards">${articles.map(card).join("\n")}</main>`;
  return documentHtml(publisher, addresses, publisher.name, head, cards);
}

/** A page of plain text: what the publisher is, or that members only may read on. */
export function textPage(publisher: Publisher, addresses: Addresses, text: string): string {
  return documentHtml(
    publisher,
    addresses,
    publisher.name,
    "",
    `<main><p>${escapeText(text)}</p></main>`,
  );
}

function articleHead(publisher: Publisher, article: Article, addresses: Addresses): string {
  const url = addresses.article(article.id);
  const published = new Date(article.publishedAtMs).toISOString();
  const image = article.scene === undefined ? undefined : addresses.picture(article, "lead", 1200);
  const property = (name: string, content: string): string =>
    `<meta property="${name}" content="${escapeText(content)}">`;
  const inMeta =
    publisher.publishedIn === "meta" ? property("article:published_time", published) : "";
  const jsonLd = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    headline: article.title,
    datePublished: published,
    author: [{ "@type": "Person", name: article.author }],
    publisher: { "@type": "Organization", name: publisher.name },
    mainEntityOfPage: url,
    ...(image === undefined ? {} : { image: [image] }),
  };
  const inJsonLd =
    publisher.publishedIn === "json-ld"
      ? `<script type="application/ld+json">${JSON.stringify(jsonLd).replaceAll("<", "\\u003c")}</script>`
      : "";
  return [
    `<link rel="canonical" href="${url}">`,
    `<meta name="description" content="${escapeText(article.summary)}">`,
    `<meta name="author" content="${escapeText(article.author)}">`,
    property("og:type", "article"),
    property("og:title", article.title),
    property("og:site_name", publisher.name),
    property("og:url", url),
    property("article:section", article.category),
    image === undefined ? "" : property("og:image", image),
    inMeta,
    inJsonLd,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function timeHtml(publisher: Publisher, article: Article): string {
  const zone = publisher.language === "ja" ? "Asia/Tokyo" : "UTC";
  const format = new Intl.DateTimeFormat(publisher.language === "ja" ? "ja-JP" : "en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: zone,
  });
  const shown = `${WORDS[publisher.language].published} ${format.format(article.publishedAtMs)}`;
  if (publisher.publishedIn !== "time-element") return `<span>${shown}</span>`;
  return `<time datetime="${new Date(article.publishedAtMs).toISOString()}">${shown}</time>`;
}

function documentHtml(
  publisher: Publisher,
  addresses: Addresses,
  title: string,
  head: string,
  content: string,
): string {
  const words = WORDS[publisher.language];
  const lazyScript = publisher.pictureMarkup === "lazy" ? LAZY_SCRIPT : "";
  const sections = publisher.text.kinds
    .map((kind) => `<li><a href="${addresses.home}">${escapeText(kind.category)}</a></li>`)
    .join("");
  return `<!DOCTYPE html>
<html lang="${publisher.language}">
<head>
<meta charset="${publisher.charset}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
${head}
<link rel="alternate" type="${FEED_TYPES[publisher.feed.kind]}" href="${addresses.feed}">
<link rel="stylesheet" href="${addresses.home}style.css">
</head>
<body>
<header class="site"><a class="name" href="${addresses.home}">${escapeText(publisher.name)}</a>
<p class="tagline">${escapeText(publisher.tagline)}</p></header>
<nav class="site"><ul><li><a href="${addresses.home}">${words.home}</a></li>${sections}
<li><a href="${addresses.home}about">${words.about}</a></li>
<li><a href="${addresses.home}members/">${words.members}</a></li></ul></nav>
<div class="columns">
${content}
</div>
<footer class="site"><p>© ${escapeText(publisher.name)}</p><p>${words.fiction}</p></footer>
${lazyScript}
</body>
</html>
`;
}
