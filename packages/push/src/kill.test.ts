import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { killRounds, waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  contentId,
  openInstallation,
  openShared,
  userIds,
  type Installation,
} from "./testing/installation.fixture.ts";

const SCRIPT = fileURLToPath(new URL("./testing/push-until-killed.ts", import.meta.url));
const USERS = 600;
const CHUNK_USERS = 20;
const ARTICLES = 40;
/** How long each role lives after it began to work: short at first, so that it dies in early steps too. */
const LIVES_MS = [0, 40, 80, 150, 250, 300];
const ROUNDS = killRounds(LIVES_MS.length);
const ROUND_TIMEOUT_MS = 20_000;

let shared: Awaited<ReturnType<typeof openShared>>;
beforeAll(async () => {
  shared = await openShared();
});
afterAll(() => shared[Symbol.asyncDispose]());

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
    { timeout: (ROUNDS + 12) * ROUND_TIMEOUT_MS },
    async () => {
      await using installation = await openInstallation({ shared, role: null });
      const { deps } = installation;
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
      for (let round = 0; round < ROUNDS; round += 1) {
        const lifeMs = LIVES_MS[round % LIVES_MS.length] ?? 0;
        const child = await startChild(installation);
        const diesAtMs = performance.now() + lifeMs;
        await waitFor(() => performance.now() >= diesAtMs);
        await child.kill();
      }
      const last = await startChild(installation);
      try {
        for (const jobId of jobs) {
          const { state } = await installation.ended(jobId);
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
        await installation.ended(third);
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
        // A role that is killed between an object and its fact leaves objects nobody names: of the audience no others.
        const states = await Promise.all([...jobs, third].map((jobId) => installation.view(jobId)));
        const named = states.map(({ state: { audience } }) => audience?.audienceKey ?? "none");
        expect(left.filter((key) => named.some((prefix) => key.startsWith(prefix)))).toEqual([]);
        // A part is left by a role that was killed, or one that made it at the very end of its job once more.
        const parts = left.filter((key) => key.includes("/part-"));
        expect(parts.length).toBeLessThan((states.length * USERS) / CHUNK_USERS / 2);
      } finally {
        await last.kill();
      }
    },
  );
});
