import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { waitFor } from "@feed/test-kit";
import { runFeedctl, type FeedctlProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerTo } from "./answer-to.ts";
import type { Client } from "./faults/client.ts";
import { openRolesCluster, PATIENCE, type RolesCluster } from "./roles-cluster.ts";

/**
 * The roles as processes on the real engines: two API nodes, two projectors, and what happens when one of them goes.
 */
const USERS = 20;
const EVENTS_PER_USER = 30;
const TEST_TIMEOUT_MS = 600_000;

let cluster: RolesCluster;
let apis: readonly FeedctlProcess[] = [];
let projectors: FeedctlProcess[] = [];
let nodes: readonly Client[] = [];

const api = (path: string, init: RequestInit = {}, node = 0) =>
  fetch(`${apis[node]?.listening}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${cluster.apiKey}`, "content-type": "application/json" },
  });

/** A request that the other node has begun to read, as its interim answer says. What is returned sends the rest. */
async function beginEvents(user_id: string): Promise<() => Promise<number | undefined>> {
  const event = { type: "session_start", user_id, session_id: user_id };
  const body = JSON.stringify({ events: [event] });
  const request = httpRequest(`${apis[1]?.listening}/v1/events`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${cluster.apiKey}`,
      "content-type": "application/json",
      "content-length": body.length,
      expect: "100-continue",
    },
  });
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  request.flushHeaders();
  await once(request, "continue");
  return async () => {
    request.end(body);
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  };
}

beforeAll(async () => {
  const opened = await openRolesCluster({ apis: 2, projectors: 2 });
  ({ cluster, apis } = opened);
  projectors = [...opened.projectors];
  nodes = apis.map(cluster.client);
}, TEST_TIMEOUT_MS);

afterAll(() => cluster[Symbol.asyncDispose]());

describe("Roles as processes on outside engines", { timeout: TEST_TIMEOUT_MS }, () => {
  it("show a user's change, made at one API node, at another at once", async () => {
    const body = JSON.stringify({ properties: { language: "en" } });
    // Repeated as a client does: it is 503 where the change is not visible in time, though it will be.
    const changed = await answerTo(() => api("/v1/users/shared", { method: "PUT", body }, 0));
    expect(changed.ok).toBe(true);
    const read = await answerTo(() => api("/v1/users/shared", {}, 1));
    expect(await read.json()).toMatchObject({ data: { properties: { language: "en" } } });
    const [first = ""] = (await nodes[0]?.feedIds("shared")) ?? [];
    expect(await nodes[1]?.feedIds("shared")).toContain(first);
    await nodes[0]?.recordEvents([
      { type: "click", user_id: "shared", session_id: "s", content_id: first },
    ]);
    await waitFor(async () => !(await nodes[1]?.feedIds("shared"))?.includes(first), PATIENCE);
  });

  it("lose no event and count none twice when a projector is killed and another joins", async () => {
    const users = Array.from({ length: USERS }, (_, n) => `counted-${n}`);
    const sessionsOf = (user: string) => nodes[0]?.totalSessions(user);
    for (const user of users)
      await waitFor(async () => (await nodes[0]!.register(user)).ok, PATIENCE);
    const sending = (async () => {
      for (let n = 0; n < EVENTS_PER_USER; n += 1) {
        const events = users.map((user_id) => {
          const id = `${user_id}-${n}`;
          return { type: "session_start", event_id: id, user_id, session_id: id };
        });
        await nodes[n % 2]!.recordEvents(events);
      }
    })();
    await projectors[0]?.stop("SIGKILL");
    projectors.push(await cluster.start("projector"));
    await sending;
    for (const user of users) {
      await waitFor(async () => (await sessionsOf(user)) === EVENTS_PER_USER, PATIENCE);
    }
    // A repetition would count more by now.
    expect(await Promise.all(users.map(sessionsOf))).toEqual(users.map(() => EVENTS_PER_USER));
  });

  it("answer every request in progress when a node is told to stop, and end with 0", async () => {
    const begun = await Promise.all(Array.from({ length: 8 }, (_, n) => beginEvents(`r${n}`)));
    const ending = apis[1]?.stop("SIGTERM");
    const isClosed = async () =>
      (await api("/healthz", {}, 1).catch(() => undefined)) === undefined;
    await waitFor(isClosed, PATIENCE);
    const statuses = await Promise.all(begun.map((end) => end()));
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(await ending).toMatchObject({ code: 0 });
    const projector = await projectors.at(-1)?.stop("SIGTERM");
    expect(projector).toMatchObject({ code: 0 });
  });

  it("refuse to start where an engine is embedded, and say which", async () => {
    const { code, stderr } = await runFeedctl(["projector", "--data", cluster.directory], {
      environment: { ...cluster.environment, READ_STATE: "" },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^feedctl: READ_STATE is not set: [^\n]*\n$/);
  });
});
