import { openArticle } from "./article.ts";
import { cardOf, element, type CardAction } from "./card.ts";
import { call, Refused, type FeedItem, type FeedPage, type Source, type User } from "./service.ts";

/** A change is projected within moments: the page looks again soon, then less and less often, for some minutes. */
const LOOK_AGAIN_MS = 150;
const LOOK_AGAIN_MS_MAX = 5_000;
const LOOKS_MAX = 40;
const PAGE_ITEMS = 12;

const byId = <Found extends HTMLElement>(id: string): Found => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as Found;
};
const readerInput = byId<HTMLInputElement>("reader");
const areasInput = byId<HTMLInputElement>("areas");
const cards = byId("cards");
const more = byId<HTMLButtonElement>("more");
const article = byId<HTMLDialogElement>("article");

const state = {
  reader: "",
  sessionId: crypto.randomUUID(),
  shown: new Set<string>(),
  nextCursor: null as string | null,
  /** What the reader did last: looking again for what was done before ends with it. */
  step: 0,
  sources: new Map<string, string>(),
};

async function openReader(reader: string): Promise<void> {
  state.step += 1;
  state.reader = reader;
  state.shown = new Set();
  readerInput.value = reader;
  const address = new URL(location.href);
  if (reader === "") address.searchParams.delete("reader");
  else address.searchParams.set("reader", reader);
  history.replaceState(null, "", address);
  if (reader !== "") {
    state.sessionId = crypto.randomUUID();
    await send({ type: "session_start" }, "session_start");
  }
  await refresh();
}

function feedPath(cursor?: string): string {
  const query = new URLSearchParams({ limit: String(PAGE_ITEMS), explain: "true" });
  if (state.reader !== "") query.set("user_id", state.reader);
  if (areasInput.value.trim() !== "") query.set("area_names", areasInput.value.trim());
  if (cursor !== undefined) query.set("cursor", cursor);
  return `/feed?${query}`;
}

async function refresh(): Promise<void> {
  const { step } = state;
  const page = await call<FeedPage>("GET", feedPath());
  if (step !== state.step) return;
  const firstTime = state.shown.size === 0;
  show(page.data, (item) => !firstTime && !state.shown.has(item.id));
  state.shown = new Set(page.data.map(({ id }) => id));
  state.nextCursor = page.meta.next_cursor;
  more.hidden = state.nextCursor === null;
  showAreas(page);
  await showProfile();
}

function show(items: readonly FeedItem[], hasArrived: (item: FeedItem) => boolean): void {
  const made = items.map((item) =>
    cardOf(item, hasArrived(item), state.reader !== "", guarded(act)),
  );
  cards.replaceChildren(...made);
  if (made.length === 0)
    cards.append(element("p", { className: "empty", textContent: "Nothing to show yet." }));
}

async function showMore(): Promise<void> {
  if (state.nextCursor === null) return;
  state.step += 1;
  const { step } = state;
  const page = await call<FeedPage>("GET", feedPath(state.nextCursor));
  if (step !== state.step) return;
  for (const item of page.data) {
    state.shown.add(item.id);
    cards.append(cardOf(item, false, state.reader !== "", guarded(act)));
  }
  state.nextCursor = page.meta.next_cursor;
  more.hidden = state.nextCursor === null;
}

async function act(action: CardAction, item: FeedItem): Promise<void> {
  if (action === "click") await openArticle(article, item.id);
  if (state.reader === "") return;
  if (action === "follow" || action === "block") {
    await call(
      "PUT",
      `/users/${encodeURIComponent(state.reader)}/sources/${item.source.source_id}/${action}`,
    );
    note(`${action} ${item.source.name}`);
  } else {
    await send({ type: action, tracking_token: item.tracking_token }, `${action}: ${item.title}`);
  }
  await afterChange(action, item);
}

/** Shows the next feed once the change is in it: clicked and disliked articles and blocked sources are gone. */
async function afterChange(action: CardAction, item: FeedItem): Promise<void> {
  const leaves = action === "click" || action === "dislike" || action === "block";
  state.step += 1;
  const { step } = state;
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const pauseMs = Math.min(LOOK_AGAIN_MS * 1.2 ** look, LOOK_AGAIN_MS_MAX);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (step !== state.step) return;
    await refresh();
    if (!leaves || !state.shown.has(item.id)) return;
  }
}

async function send(event: Readonly<Record<string, unknown>>, words: string): Promise<void> {
  const full = {
    ...event,
    user_id: state.reader,
    session_id: state.sessionId,
    occurred_at: new Date().toISOString(),
  };
  await call("POST", "/events", { events: [full] });
  note(words);
}

function note(words: string): void {
  byId("log").prepend(element("li", { textContent: words }));
}

async function showProfile(): Promise<void> {
  const profile = byId("profile");
  if (state.reader === "") {
    profile.replaceChildren(
      element("p", {
        className: "note",
        textContent: "Anonymous: the generic feed. Pick or make a reader above.",
      }),
    );
    return;
  }
  const { data } = await call<{ data: User }>("GET", `/users/${encodeURIComponent(state.reader)}`);
  const names = (ids: readonly string[]) =>
    ids.map((id) => state.sources.get(id) ?? id).join(", ") || "none";
  const rows: readonly (readonly [string, string])[] = [
    ["user_id", data.user_id],
    ["sessions", String(data.total_sessions)],
    [
      "last active",
      data.last_active_at === null ? "never" : new Date(data.last_active_at).toLocaleTimeString(),
    ],
    ["follows", names(data.followed_sources)],
    ["blocks", names(data.blocked_sources)],
    [
      "properties",
      Object.keys(data.properties).length === 0 ? "none" : JSON.stringify(data.properties),
    ],
  ];
  const list = element("dl", {});
  for (const [name, value] of rows) {
    list.append(element("dt", { textContent: name }), element("dd", { textContent: value }));
  }
  profile.replaceChildren(list);
}

function showAreas({ meta }: FeedPage): void {
  const matched = meta.resolved_areas.matched.map(({ name }) => name);
  const skipped = meta.resolved_areas.skipped.map(({ input, reason }) => `${input}: ${reason}`);
  byId("area-note").textContent = [
    matched.length > 0 ? `Boosted: ${matched.join(", ")}` : "",
    skipped.length > 0 ? `Skipped: ${skipped.join(", ")}` : "",
  ]
    .filter((line) => line !== "")
    .join(" · ");
}

async function suggestAreas(): Promise<void> {
  const typed = areasInput.value.split(",").at(-1)?.trim() ?? "";
  if (typed === "") return;
  const found = await call<{ data: readonly { name: string }[] }>(
    "GET",
    `/areas?q=${encodeURIComponent(typed)}&limit=8`,
  );
  byId("area-names").replaceChildren(
    ...found.data.map(({ name }) => element("option", { value: name })),
  );
}

async function makeReader(): Promise<void> {
  const reader = `reader-${Math.random().toString(36).slice(2, 8)}`;
  await call("PUT", `/users/${reader}`, { properties: {} });
  note(`created ${reader}`);
  await listReaders();
  await openReader(reader);
}

async function listReaders(): Promise<void> {
  const { data } = await call<{ data: readonly User[] }>("GET", "/users?limit=50");
  byId("readers").replaceChildren(
    ...data.map(({ user_id }) => element("option", { value: user_id })),
  );
}

/** Runs a step and shows what the service refused, in its own words. */
function guarded<Args extends readonly unknown[]>(
  step: (...args: Args) => Promise<void>,
): (...args: Args) => void {
  return (...args) => {
    byId("status").textContent = "";
    step(...args).catch((error: unknown) => {
      byId("status").textContent =
        error instanceof Refused
          ? `${error.status}: ${error.message}`
          : `The service did not answer: ${String(error)}`;
    });
  };
}

byId<HTMLFormElement>("reader-form").addEventListener("submit", (event) => {
  event.preventDefault();
  guarded(openReader)(readerInput.value.trim());
});
byId("new-reader").addEventListener("click", guarded(makeReader));
more.addEventListener("click", guarded(showMore));
areasInput.addEventListener("change", guarded(refresh));
areasInput.addEventListener("input", guarded(suggestAreas));
guarded(async () => {
  const { data } = await call<{ data: readonly Source[] }>("GET", "/sources");
  state.sources = new Map(data.map(({ source_id, name }) => [source_id, name]));
  await openReader(new URL(location.href).searchParams.get("reader") ?? "");
  await listReaders();
  const asked = new URL(location.href).searchParams.get("article");
  if (asked !== null) await openArticle(article, asked);
})();
