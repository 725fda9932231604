import { waitFor } from "@feed/test-kit";
import { runFeedctl, type FeedctlProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "./faults/client.ts";
import { openRolesCluster, PATIENCE, type RolesCluster } from "./roles-cluster.ts";

/**
 * The roles as processes on the real engines: two API nodes, two projectors, and what happens when one of them goes.
 */
const USERS = 20;
const EVENTS_PER_USER = 30;
const TEST_TIMEOUT_MS = 240_000;

let cluster: RolesCluster;
let apis: readonly FeedctlProcess[] = [];
let projectors: FeedctlProcess[] = [];
let nodes: readonly Client[] = [];

const api = (path: string, init: RequestInit = {}, node = 0) =>
  fetch(`${apis[node]?.listening}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${cluster.apiKey}`, "content-type": "application/json" },
  });

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
    const change = () => api("/v1/users/shared", { method: "PUT", body }, 0);
    await waitFor(async () => (await change()).ok, PATIENCE);
    const read = await api("/v1/users/shared", {}, 1);
    expect(await read.json()).toMatchObject({ data: { properties: { language: "en" } } });
    const [first = ""] = (await nodes[0]?.feedIds("shared")) ?? [];
    const click = { type: "click", user_id: "shared", session_id: "s", content_id: first };
    expect((await nodes[0]?.postEvents([click]))?.status).toBe(202);
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
        const posted = () => nodes[n % 2]!.postEvents(events);
        await waitFor(async () => (await posted()).status === 202, PATIENCE);
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
    const stopping = new AbortController();
    const statuses: number[] = [];
    const asking = Array.from({ length: 8 }, async (_, n) => {
      while (!stopping.signal.aborted)
        statuses.push((await api(`/v1/feed?user_id=r${n}`, {}, 1)).status);
    });
    await waitFor(() => statuses.length > 20, PATIENCE);
    stopping.abort();
    const ended = await apis[1]?.stop("SIGTERM");
    await Promise.all(asking);
    expect(ended).toMatchObject({ code: 0 });
    expect(new Set(statuses)).toEqual(new Set([200]));
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
