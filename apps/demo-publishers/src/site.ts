import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Catalogue } from "./catalogue.ts";
import { PictureStudio } from "./pictures/render.ts";
import { ENGLISH_PUBLISHERS } from "./publishers-english.ts";
import { JAPANESE_PUBLISHERS } from "./publishers-japanese.ts";
import { addressesOf } from "./render/markup.ts";
import { sendAnswer } from "./responses.ts";
import { answerFor } from "./router.ts";
import type { Site } from "./router.ts";

/** A publisher as someone who wants to crawl it needs to know it. */
export interface DemoPublisher {
  readonly slug: string;
  readonly name: string;
  readonly homeUrl: string;
  readonly feedUrl: string;
  readonly language: "ja" | "en";
  readonly titleRewriteAllowed: boolean;
  readonly colour: string;
}

export interface DemoPublishersOptions {
  /** Articles are dated back from here: integer milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** 0, the default, takes any free port. Addresses of articles contain it, so a lasting demo fixes it. */
  readonly port?: number;
  readonly host?: "127.0.0.1";
}

/** The running site. Disposing closes the port and all connections. */
export interface DemoPublishers extends AsyncDisposable {
  readonly baseUrl: string;
  readonly publishers: readonly DemoPublisher[];
  /** Articles on the site at this moment. */
  readonly articleCount: number;
  /**
   * Puts one new article at the top of a publisher's feed and gives its address. Without a slug the
   * publishers take turns. `publishedAtMs` is the wall clock unless given. Throws RangeError for an
   * unknown slug.
   */
  publish(slug?: string, publishedAtMs?: number): { readonly url: string; readonly title: string };
}

/** Longer than crawlers keep a connection, so that none is closed just as they send the next request on it. */
const KEEP_ALIVE_MS = 60_000;

/** Serves all demo publishers on one loopback port. Rejects with the listen error if it is taken. */
export async function startDemoPublishers(options: DemoPublishersOptions): Promise<DemoPublishers> {
  const { nowMs, port = 0, host = "127.0.0.1" } = options;
  const catalogue = new Catalogue([...JAPANESE_PUBLISHERS, ...ENGLISH_PUBLISHERS], nowMs);
  const studio = new PictureStudio();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  const origin = `http://${host}:${await listen(server, port, host)}`;
  const site: Site = { catalogue, studio, origin, startedAtMs: nowMs };
  server.on("request", (request, response) => void handle(site, request, response));
  return {
    baseUrl: origin,
    publishers: catalogue.publishers.map((publisher) => {
      const { home, feed } = addressesOf(publisher, origin);
      const { slug, name, language, titleRewriteAllowed, colour } = publisher;
      return { slug, name, homeUrl: home, feedUrl: feed, language, titleRewriteAllowed, colour };
    }),
    get articleCount() {
      return catalogue.articleCount;
    },
    publish(slug, publishedAtMs = Date.now()) {
      const article = catalogue.publish(slug, publishedAtMs);
      const publisher = catalogue.publishers.find((each) => each.slug === article.slug);
      if (publisher === undefined) throw new Error("the catalogue published for nobody");
      return { url: addressesOf(publisher, origin).article(article.id), title: article.title };
    },
    [Symbol.asyncDispose]: () => close(server),
  };
}

async function handle(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    const answer = answerFor(site, (request.url ?? "/").replace(/\?.*$/, ""));
    if (answer === undefined) {
      response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("Not found\n");
      return;
    }
    await sendAnswer(request, response, answer);
  } catch (error) {
    // A picture that cannot be drawn fails its own request; the site goes on.
    console.error("demo publishers:", error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no TCP port"));
      else resolve(address.port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeAllConnections();
  });
}
