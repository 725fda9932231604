import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { openInstallation, type Installation } from "./testing/installation.fixture.ts";
import { openReceiver } from "./testing/receiver.fixture.ts";

const SCRIPT = fileURLToPath(new URL("./testing/webhooks-until-killed.ts", import.meta.url));
const JOBS = 30;
const ROUNDS = 6;
/** How long each role lives after it began to work: a fixed seed, so that a failure comes again. */
const LIFE_MS_MAX = 250;
const SEED = 20_261_121;

async function startChild({ options }: Installation) {
  const argument = JSON.stringify({ ...options, root: Buffer.from(options.root).toString("hex") });
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

/** Park and Miller's generator: 0 to 1. */
function* randoms(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

describe("Webhook roles that are killed at any moment (decisions, Webhook)", () => {
  it("tell every end of a job, each by one id", async () => {
    await using receiver = await openReceiver();
    await using installation = await openInstallation({ roles: 0 });
    await installation.saveWebhook(receiver.url);
    const random = randoms(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const child = await startChild(installation);
      const perRound = JOBS / ROUNDS;
      for (let job = 0; job < perRound; job += 1)
        await installation.endJob(`job-${round * perRound + job}`, "completed");
      await delay(random.next().value * LIFE_MS_MAX);
      await child.kill();
    }
    const last = await startChild(installation);
    try {
      const told = async () => {
        const deliveries = await installation.deliveries();
        const isDone = deliveries.every(({ status }) => status === "delivered");
        return deliveries.length === JOBS && isDone;
      };
      await waitFor(told);
      const idsOf = new Map<unknown, Set<unknown>>();
      for (const { headers, payload } of receiver.received) {
        const ids = idsOf.get(payload["job_id"]) ?? new Set();
        idsOf.set(payload["job_id"], ids.add(headers["webhook-id"]));
      }
      expect(idsOf.size).toBe(JOBS);
      expect([...idsOf.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    } finally {
      await last.kill();
    }
  });
});
