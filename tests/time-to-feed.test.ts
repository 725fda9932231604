import { openCore } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { freePort, temporaryDirectory, waitFor } from "@feed/test-kit";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { runFeedctl, startService } from "@feed/test-kit/service-process";
import { startTestHub } from "@feed/test-kit/websub-hub";
import { describe, expect, it } from "vitest";
import { appendDirectory } from "../bench/src/installation/append-articles.ts";
import { directoryFacts } from "../bench/src/installation/directory-facts.ts";
import { clientOf } from "./faults/client.ts";
import { msOf } from "./took.ts";

/**
 * Goal: what a hub pushes is in the feed within 15 seconds, and what is taken down is out of it within a minute.
 * Method: the service as a process; a publisher and a hub on loopback. On a busy machine it may take longer by a multiple of
 * what a process takes there at the same time that has next to nothing to do.
 */
const TEST_TIMEOUT_MS = 900_000;
const IN_FEED_MS_MAX = 15_000;
const OUT_OF_FEED_MS_MAX = 60_000;
/** Half a second of an idle machine: what is on its way to the feed passes through four threads. */
const BESIDE_FACTOR = 5;
const ADMIN_TOKEN = "admin-token-of-the-test";
const ARTICLES = {
  ferry: "The harbour was rebuilt in nine months. The first ferry left on Monday. ".repeat(9),
  bakery: "An oven from the year of the fire still bakes. Its owner is eighty now. ".repeat(9),
} as const;

/** What some work took beyond what this machine may be blamed for. */
async function ownMsOf(work: Promise<unknown>): Promise<number> {
  const [tookMs, besideMs] = await Promise.all([msOf(work), msOf(runFeedctl(["--help"]))]);
  return tookMs - BESIDE_FACTOR * besideMs;
}

/** A tenant with its key and scenario in an installation without sources; the key. */
async function makeTenant(dataDirectory: string): Promise<string> {
  const nowMs = systemClock.nowMs();
  const { apiKey, facts } = directoryFacts(nowMs);
  const config = { dataDirectory, embedder: "hashed:256" };
  await using core = await openCore(config, systemClock);
  const ofTenant = facts.filter(({ type }) => type !== "source.saved");
  await appendDirectory(core, ofTenant, nowMs);
  return apiKey;
}

function serveArticles(
  site: HttpSite,
  hubUrl: string,
  ids: readonly (keyof typeof ARTICLES)[],
): string {
  const items = ids.map((id) => ({
    id,
    url: `${site.origin}/${id}`,
    title: `News of the ${id}`,
    date_published: new Date().toISOString(),
  }));
  for (const id of ids) {
    const body = `<html lang="en"><article><h1>${id}</h1><p>${ARTICLES[id]}</p></article></html>`;
    site.on(`/${id}`, { headers: { "content-type": "text/html" }, body });
  }
  const version = "https://jsonfeed.org/version/1.1";
  const body = JSON.stringify({ version, title: "Harbour Daily", items });
  site.on("/feed", { headers: { link: `<${hubUrl}>; rel=hub` }, body });
  return body;
}

describe("The time to the feed", () => {
  it(
    "is less than 15 seconds for what a hub pushes; a takedown is out of it within a minute",
    async () => {
      await using directory = await temporaryDirectory();
      const apiKey = await makeTenant(directory.path);
      await using site = await serveSite();
      await using hub = await startTestHub();
      // A part of its public address, and so known before it is started.
      const port = await freePort();
      const environment = {
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        OWN_ORIGINS: `${site.origin},${new URL(hub.url).origin}`,
        ADMIN_TOKEN,
      };
      await using service = await startService({
        dataDirectory: directory.path,
        port,
        environment,
      });
      const client = clientOf(service.baseUrl, apiKey);
      const admin = (path: string, body?: object): Promise<Response> =>
        fetch(`${service.baseUrl}/admin/v1${path}`, {
          method: "POST",
          headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
      serveArticles(site, hub.url, ["ferry"]);
      const source = { address: `${site.origin}/feed` };
      expect((await admin("/sources", source)).status).toBe(201);
      await client.untilArticles();
      await waitFor(() => hub.subscribed.size === 1);

      const content = serveArticles(site, hub.url, ["bakery", "ferry"]);
      expect(await hub.push(`${site.origin}/feed`, { body: content })).toBe(202);
      // Another reader each time: a list that one has may be seconds old (packages/feed/src/ranked-list.ts).
      let readers = 0;
      let ids: readonly string[] = [];
      const isIn = async (): Promise<boolean> => {
        readers += 1;
        await client.register(`reader-${readers}`);
        ids = await client.feedIds(`reader-${readers}`);
        return ids.length === 2;
      };
      expect(await ownMsOf(waitFor(isIn))).toBeLessThan(IN_FEED_MS_MAX);

      const [id = ""] = ids;
      expect((await admin(`/contents/${id}/takedown`)).status).toBe(204);
      const isOut = async (): Promise<boolean> =>
        !(await client.feedIds(`reader-${readers}`)).includes(id);
      expect(await ownMsOf(waitFor(isOut))).toBeLessThan(OUT_OF_FEED_MS_MAX);
    },
    TEST_TIMEOUT_MS,
  );
});
