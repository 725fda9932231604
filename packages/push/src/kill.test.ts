import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contentId,
  openInstallation,
  startEngine,
  userIds,
  type Installation,
} from "./testing/installation.fixture.ts";

const SCRIPT = fileURLToPath(new URL("./testing/push-until-killed.ts", import.meta.url));
const USERS = 600;
const ARTICLES = 40;
/** How long each role lives after it began to work: short at first, so that it dies in early steps too. */
const LIVES_MS = [0, 40, 80, 150, 200, 250, 300, 250, 200, 300];

let started: Awaited<ReturnType<typeof startEngine>>;
beforeAll(async () => {
  started = await startEngine();
}, 60_000);
afterAll(() => started[Symbol.asyncDispose]());

async function startChild({ options }: Installation) {
  const argument = JSON.stringify({ ...options, root: options.root.toString("hex") });
  const child = spawn(process.execPath, [SCRIPT, argument], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  await once(child.stdout, "data");
  return {
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

describe("Push roles that are killed at any moment (decisions, Push jobs)", () => {
  it(
    "lose no line, give no user two, charge once and send nothing twice",
    { timeout: 180_000 },
    async () => {
      await using installation = await openInstallation({ engine: started.engine, role: null });
      const { tenantId, deps } = installation;
      await installation.publish(
        ...Array.from({ length: ARTICLES }, (_, at) => ({
          contentId: contentId(`article-${at}`),
          title: `Story ${at}`,
          duplicateGroup: `group-${at}`,
        })),
      );
      await installation.tell(...userIds(USERS).map((userId) => ({ userId, properties: {} })));
      const jobs = [
        await installation.request({ candidatesPerUser: 2 }),
        await installation.request({ candidatesPerUser: 2 }),
      ];
      for (const lifeMs of LIVES_MS) {
        const child = await startChild(installation);
        const diesAtMs = performance.now() + lifeMs;
        await waitFor(() => performance.now() >= diesAtMs, { timeoutMs: 10_000 });
        await child.kill();
      }
      const last = await startChild(installation);
      try {
        for (const jobId of jobs) {
          const { state } = await installation.ended(jobId, tenantId, 60_000);
          expect(state.completed).toMatchObject({
            targetUserCount: USERS,
            creditsTenths: USERS * 5,
          });
          const users = (await installation.result(jobId)).map(({ user_id }) => user_id);
          expect(users.toSorted()).toEqual(userIds(USERS));
        }
        const charged = { usedTenths: jobs.length * USERS * 5, reservedTenths: 0 };
        expect(await installation.standing()).toEqual(charged);
        // What both have given is sent; a third job finds none of it.
        const third = await installation.request({ candidatesPerUser: 3 });
        await installation.ended(third, tenantId, 60_000);
        const before = await Promise.all(jobs.map((jobId) => installation.result(jobId)));
        const given = new Map(before.flat().map(({ user_id }) => [user_id, new Set<string>()]));
        for (const { user_id, candidates } of before.flat()) {
          for (const { id } of candidates) given.get(user_id)?.add(id);
        }
        for (const { user_id, candidates } of await installation.result(third)) {
          expect(candidates.filter(({ id }) => given.get(user_id)?.has(id))).toEqual([]);
        }
        const left: string[] = [];
        for await (const { key } of deps.objectStore.list("push/")) left.push(key);
        // A role that is killed between an object and its fact leaves objects nobody names, and no more than that.
        expect(left.length).toBeLessThan(200);
      } finally {
        await last.kill();
      }
    },
  );
});
