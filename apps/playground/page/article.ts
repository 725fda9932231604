import { element } from "./card.ts";
import { call, type Content } from "./service.ts";

const FORMATS = ["html", "markdown"] as const;
type Format = (typeof FORMATS)[number];
const LABELS: Readonly<Record<Format, string>> = { html: "HTML", markdown: "Markdown" };

/** Opens the article as the service delivers it: the licensed body, or the excerpt where there is no licence. */
export async function openArticle(dialog: HTMLDialogElement, contentId: string): Promise<void> {
  await show(dialog, contentId, "html");
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

async function show(dialog: HTMLDialogElement, contentId: string, format: Format): Promise<void> {
  const path = `/contents/${encodeURIComponent(contentId)}?include_body=true&body_format=${format}`;
  const { data } = await call<{ data: Content }>("GET", path);
  const switchTo = (other: Format) => void show(dialog, contentId, other);
  dialog.replaceChildren(headOf(dialog, data, format, switchTo), bodyOf(data), sourceOf(data));
  dialog.dataset["contentId"] = contentId;
}

function headOf(
  dialog: HTMLDialogElement,
  content: Content,
  format: Format,
  switchTo: (format: Format) => void,
): HTMLElement {
  const head = element("header", {});
  const bar = element("div", { className: "tools" });
  for (const each of content.content_body === undefined ? [] : FORMATS) {
    const button = element("button", { type: "button", textContent: LABELS[each] });
    button.ariaPressed = String(each === format);
    button.addEventListener("click", () => switchTo(each));
    bar.append(button);
  }
  const close = element("button", { type: "button", className: "close", textContent: "Close" });
  close.addEventListener("click", () => dialog.close());
  bar.append(close);
  head.append(bar, element("h2", { textContent: content.title }));
  return head;
}

function bodyOf({ content_body, body_format, body_excerpt }: Content): HTMLElement {
  if (content_body === undefined) {
    const excerpt = element("div", { className: "body" });
    excerpt.append(
      element("p", { textContent: body_excerpt }),
      element("p", { className: "note", textContent: "The tenant's licence has no body of it." }),
    );
    return excerpt;
  }
  if (body_format === "markdown")
    return element("pre", { className: "markdown", textContent: content_body });
  // The service's promise (spec 2.3): nothing in it runs, and links and pictures are http or https.
  const body = element("div", { className: "body", innerHTML: content_body });
  for (const link of body.querySelectorAll("a")) Object.assign(link, OUTSIDE);
  return body;
}

const OUTSIDE = { target: "_blank", rel: "noopener" } as const;

/** What has to be shown with a body (spec 2.2): source, its site, the original address, the author. */
function sourceOf({ source, author, canonical_url, url, published_at }: Content): HTMLElement {
  const foot = element("footer", { className: "note" });
  foot.append(
    element("a", { href: source.url, textContent: source.name, ...OUTSIDE }),
    author === undefined ? "" : ` · ${author}`,
    ` · ${new Date(published_at).toLocaleString()} · `,
    element("a", { href: url, textContent: "Read at the publisher", ...OUTSIDE }),
    element("p", { className: "address", textContent: canonical_url }),
  );
  return foot;
}
