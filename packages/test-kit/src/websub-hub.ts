import { createHmac, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What a subscriber wrote in its request, and the outcome of asking it whether it meant that. */
export interface HubRequest {
  readonly mode: string;
  readonly callback: string;
  readonly topic: string;
  readonly leaseSeconds: string | null;
  readonly secret: string | null;
  readonly contentType: string | undefined;
}

export interface HubPush {
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  readonly method?: "sha1" | "sha256" | "sha384" | "sha512";
  /** Instead of the right one; null: none. */
  readonly signature?: string | null;
}

/** A WebSub hub of a test: small, but real, on loopback. */
export interface TestHub extends AsyncDisposable {
  readonly url: string;
  /** In order. */
  readonly requests: readonly HubRequest[];
  /** Verified subscriptions: the callback by topic. */
  readonly subscribed: ReadonlyMap<string, HubRequest>;
  /** How requests are answered: 202 and verified, unless it says otherwise. */
  behave(behaviour: HubBehaviour): void;
  /** Sends content to the topic's subscriber; its status. */
  push(topic: string, push: HubPush): Promise<number>;
  /** Tells the subscriber that it is not, or no longer, wanted; its status. */
  deny(request: HubRequest, reason: string): Promise<number>;
  /** Asks the subscriber's callback with any parameters; status and body. */
  ask(callback: string, parameters: Readonly<Record<string, string>>): Promise<HubAnswered>;
}

export interface HubBehaviour {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly verifies?: boolean;
  readonly leaseSeconds?: number;
}

export interface HubAnswered {
  readonly status: number;
  readonly body: string;
}

export async function startTestHub(): Promise<TestHub> {
  const requests: HubRequest[] = [];
  const subscribed = new Map<string, HubRequest>();
  let behaviour: HubBehaviour = {};
  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await requestIn(incoming);
    requests.push(request);
    const { status = 202, headers = {}, verifies = true } = behaviour;
    // Before the answer: a subscriber has to be ready for that.
    if (status === 202 && verifies) await verify(request, behaviour, subscribed);
    response.writeHead(status, headers).end();
  };
  const server = createServer((incoming, response) => {
    // A subscriber that ends meanwhile is no fault of the hub.
    take(incoming, response).catch(() => response.destroy());
  });
  // Kept until the subscriber ends it: one that ends here, just as it is used again, would break that request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const url = `http://127.0.0.1:${address.port}/`;
  return {
    url,
    requests,
    subscribed,
    behave: (next) => void (behaviour = next),
    push(topic, content) {
      const request = subscribed.get(topic);
      if (request === undefined) throw new Error(`nobody subscribed to ${topic}`);
      return push(request, `<${url}>; rel="hub", <${topic}>; rel="self"`, content);
    },
    async deny({ callback, topic }, reason) {
      const parameters = { "hub.mode": "denied", "hub.topic": topic, "hub.reason": reason };
      return (await ask(callback, parameters)).status;
    },
    ask,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function requestIn(incoming: IncomingMessage): Promise<HubRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
  return {
    mode: form.get("hub.mode") ?? "",
    callback: form.get("hub.callback") ?? "",
    topic: form.get("hub.topic") ?? "",
    leaseSeconds: form.get("hub.lease_seconds"),
    secret: form.get("hub.secret"),
    contentType: incoming.headers["content-type"],
  };
}

/** Asks the subscriber whether it meant that, and believes nothing but the challenge. */
async function verify(
  request: HubRequest,
  { leaseSeconds }: HubBehaviour,
  subscribed: Map<string, HubRequest>,
): Promise<void> {
  const challenge = randomUUID();
  const lease = String(leaseSeconds ?? request.leaseSeconds ?? 3_600);
  const { status, body } = await ask(request.callback, {
    "hub.mode": request.mode,
    "hub.topic": request.topic,
    "hub.challenge": challenge,
    ...(request.mode === "subscribe" ? { "hub.lease_seconds": lease } : {}),
  });
  if (status < 200 || status > 299 || body !== challenge) return;
  if (request.mode === "subscribe") subscribed.set(request.topic, request);
  else subscribed.delete(request.topic);
}

async function push(request: HubRequest, link: string, content: HubPush): Promise<number> {
  const response = await fetch(request.callback, {
    method: "POST",
    headers: {
      "content-type": content.contentType ?? "application/feed+json",
      link,
      ...signatureOf(content, request.secret ?? ""),
    },
    body: Buffer.from(content.body),
  });
  await response.arrayBuffer();
  return response.status;
}

async function ask(
  callback: string,
  parameters: Readonly<Record<string, string>>,
): Promise<HubAnswered> {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  const response = await fetch(url);
  return { status: response.status, body: await response.text() };
}

function signatureOf(push: HubPush, secret: string): Record<string, string> {
  const { method = "sha256", signature, body } = push;
  if (signature === null) return {};
  const right = `${method}=${createHmac(method, secret).update(body).digest("hex")}`;
  return { "x-hub-signature": signature ?? right };
}
