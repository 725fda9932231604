import type { Article, Block } from "../article.ts";
import type { Publisher } from "../publisher.ts";

/** Where a publisher's things are. `origin` is `http://host:port` without a slash at its end. */
export interface Addresses {
  readonly home: string;
  readonly feed: string;
  article(id: string): string;
  /** A picture of the article: the lead picture, or the one inside the body. */
  picture(article: Article, which: "lead" | "body", width: number): string;
}

/** Widths a picture is offered in, in pixels; the last is the full size. */
export const PICTURE_WIDTHS = [480, 800, 1200] as const;

const TRANSPARENT_PIXEL =
  "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

export function addressesOf(publisher: Publisher, origin: string): Addresses {
  const home = `${origin}/${publisher.slug}/`;
  return {
    home,
    feed: home + publisher.feed.file,
    article: (id) => `${home}${publisher.articleFolder}/${id}${publisher.articleSuffix}`,
    picture: (article, which, width) => {
      const body = which === "body" ? "-b" : "";
      return `${home}images/${article.id}${body}-${width}.${publisher.pictureFormat}`;
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text made safe inside elements and double-quoted attributes of HTML and XML. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The article's body as HTML, the same on its page and in a full-content feed. */
export function bodyHtml(publisher: Publisher, article: Article, addresses: Addresses): string {
  return article.blocks.map((block) => blockHtml(publisher, article, addresses, block)).join("\n");
}

function blockHtml(
  publisher: Publisher,
  article: Article,
  addresses: Addresses,
  block: Block,
): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${escapeText(block.text)}</p>`;
    case "heading":
      return `<h2>${escapeText(block.text)}</h2>`;
    case "statement": {
      const said = publisher.language === "ja" ? "strong" : "em";
      return [
        `<p>${escapeText(block.before)}<${said}>${escapeText(block.said)}</${said}>`,
        `${escapeText(block.after)}</p>`,
      ].join("");
    }
    case "quote":
      return `<blockquote><p>${escapeText(block.text)}</p><p>— ${escapeText(block.by)}</p></blockquote>`;
    case "list": {
      const tag = block.ordered ? "ol" : "ul";
      return `<${tag}>${block.items.map((item) => `<li>${escapeText(item)}</li>`).join("")}</${tag}>`;
    }
    case "table": {
      const row = ({ label, value }: { label: string; value: string }): string =>
        `<tr><th scope="row">${escapeText(label)}</th><td>${escapeText(value)}</td></tr>`;
      return `<table><tbody>${block.rows.map(row).join("")}</tbody></table>`;
    }
    case "lines":
      return `<p>${block.lines.map(escapeText).join("<br>")}</p>`;
    case "figure": {
      const image = pictureHtml(publisher, article, addresses, "body");
      return `<figure>${image}<figcaption>${escapeText(block.caption)}</figcaption></figure>`;
    }
    case "code":
      return `<pre><code>${escapeText(block.text)}</code></pre>`;
    case "related": {
      // Relative on purpose: a crawler has to resolve it against the page's address.
      const other = `${publisher.articleFolder}/${block.articleId}${publisher.articleSuffix}`;
      // As deep as the linking article lies itself: `posts/x/` is one folder deeper than `posts/x.html`.
      const href = other.replaceAll(/[^/]/g, "").replaceAll("/", "../") + other;
      return `<p>${escapeText(block.before)}<a href="${href}">${escapeText(block.text)}</a></p>`;
    }
  }
}

/** The img, in the way this publisher embeds pictures. */
export function pictureHtml(
  publisher: Publisher,
  article: Article,
  addresses: Addresses,
  which: "lead" | "body",
): string {
  const full = addresses.picture(article, which, 1200);
  const candidates = PICTURE_WIDTHS.map(
    (width) => `${addresses.picture(article, which, width)} ${width}w`,
  ).join(", ");
  const alt = escapeText(article.title);
  const size = `alt="${alt}" width="1200" height="675"`;
  switch (publisher.pictureMarkup) {
    case "plain":
      return `<img src="${full}" ${size}>`;
    case "srcset":
      return (
        `<img src="${addresses.picture(article, which, 800)}" srcset="${candidates}"` +
        ` sizes="(max-width: 800px) 100vw, 720px" ${size}>`
      );
    case "lazy":
      return (
        `<img class="lazy" src="${TRANSPARENT_PIXEL}"` +
        ` data-src="${full}" data-srcset="${candidates}" loading="lazy" ${size}>` +
        `<noscript><img src="${full}" ${size}></noscript>`
      );
    case "picture-element":
      return `<picture><source srcset="${candidates}"><img src="${full}" ${size}></picture>`;
  }
}
