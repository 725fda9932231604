import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { killRounds, waitFor } from "@feed/test-kit";
import { startService } from "@feed/test-kit/service-process";
import { describe, expect, it } from "vitest";
import { randomFrom } from "../../bench/src/random.ts";
import { clientOf } from "./client.ts";
import { makeInstallation } from "./installation.ts";
import { pushClientOf, userIds, type ResultLine } from "./push-client.ts";

/** API, projector, push and webhooks die together, at moments of a fixed seed, while a job runs. */
const SEED = 6;
const ROUNDS = killRounds(3);
const LIFE_MS_MAX = 1_000;
const USERS = 1_000;
const ARTICLES = 150;
const JOB_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = (ROUNDS + 3) * 60_000;

/** What a tenant's receiver was told: the ids that named each job. */
async function openReceiver() {
  const idsOf = new Map<string, Set<unknown>>();
  const server = createServer(async (request, response) => {
    const told = (await json(request).catch(() => undefined)) as { job_id: string } | undefined;
    // The service was killed while it sent.
    if (told === undefined) return void response.destroy();
    const { job_id } = told;
    idsOf.set(job_id, (idsOf.get(job_id) ?? new Set()).add(request.headers["webhook-id"]));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    idsOf,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe("The service killed with -9 while push jobs run (decisions, Push jobs)", () => {
  it(
    "loses no line, gives no user two, charges once, sends nothing twice, and tells each end by one id",
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      await using receiver = await openReceiver();
      await using installation = await makeInstallation(ARTICLES);
      const startedAtMs = Date.now();
      const random = randomFrom(SEED);
      const jobs = new Set<string>();
      let creditsOfFeeds = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        await using service = await startService(installation);
        const push = await pushClientOf(service.baseUrl, installation);
        if (round === 0) {
          // Each of them is charged, and the counter may not have heard of it yet.
          creditsOfFeeds = await clientOf(service.baseUrl, installation.apiKey).untilArticles();
          await push.saveScenario();
          await push.saveWebhook(receiver.url);
          await push.createUsers(USERS);
        }
        // Sent again after each death, as by a client that saw no answer.
        jobs.add(await push.post("first", 2));
        await delay(random.fraction() * LIFE_MS_MAX);
        await service.stop("SIGKILL");
      }
      await using service = await startService(installation);
      const push = await pushClientOf(service.baseUrl, installation);
      expect(jobs.size).toBe(1);
      const [first = ""] = jobs;
      const results: Map<string, ResultLine["candidates"]>[] = [];
      // The second is asked for when the first has ended: of jobs that run together neither knows the other's.
      for (const request of [async () => first, () => push.post("second", 2)]) {
        const jobId = await request();
        const job = await push.completed(jobId, JOB_TIMEOUT_MS);
        expect(job).toMatchObject({ target_user_count: USERS, consumed_credits: USERS / 2 });
        const lines = await push.lines(job);
        expect(lines.map(({ user_id }) => user_id).toSorted()).toEqual(userIds(USERS));
        expect(lines.every(({ candidates }) => candidates.length === 2)).toBe(true);
        results.push(new Map(lines.map(({ user_id, candidates }) => [user_id, candidates])));
        jobs.add(jobId);
      }
      const sentTwice = [...(results[1] ?? [])].filter(([user, candidates]) =>
        candidates.some(({ id }) => results[0]?.get(user)?.some((before) => before.id === id)),
      );
      expect(sentTwice).toEqual([]);
      const { usageSince } = clientOf(service.baseUrl, installation.apiKey);
      const isCharged = async () =>
        (await usageSince(startedAtMs)).used_credits === creditsOfFeeds + USERS;
      await waitFor(isCharged, { timeoutMs: JOB_TIMEOUT_MS });
      await waitFor(() => receiver.idsOf.size === jobs.size, { timeoutMs: JOB_TIMEOUT_MS });
      const idsOfJobs = [...receiver.idsOf].map(([jobId, ids]) => [jobId, ids.size] as const);
      expect(Object.fromEntries(idsOfJobs)).toEqual(
        Object.fromEntries([...jobs].map((jobId) => [jobId, 1])),
      );
    },
  );
});
