import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { killRounds, temporaryDirectory, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { projectionLag } from "./lag.ts";
import { appendUserFacts, openInstallation } from "./testing/installation.ts";
import { randomUserFacts } from "./testing/random-facts.ts";
import { differencesFrom } from "./verify/differences.ts";
import { foldUsersLog } from "./verify/expected-users.ts";

const SCRIPT = fileURLToPath(new URL("./testing/project-until-killed.ts", import.meta.url));
const ROUNDS = killRounds(8);
const ROUND_TIMEOUT_MS = 20_000;
/** The batches a process has done when it is killed: 1 in the first round, and no more than this in any. */
const BATCHES_MAX = 8;
const FACTS_PER_APPEND = 100;
/** Facts ahead of the projector: it never runs out of them, nor do they pile up while a process starts. */
const FACTS_WAITING_MAX = 1_000;
const MIXED = { users: 200, profileShare: 0.2, deletionShare: 0.005 };

/** Projects in a process of its own, which is killed -9 while it is at work, some batches after the first. */
async function projectAndKill(directory: string, batches: number): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const killed = once(child, "close");
  let printed = 0;
  createInterface(child.stdout).on("line", () => {
    printed += 1;
    // Facts never cease, so that the next batch is under way when the line of one arrives.
    if (printed === batches) setTimeout(() => child.kill("SIGKILL"), batches);
  });
  await killed;
  expect(child.signalCode).toBe("SIGKILL");
}

describe("a projector that is killed at any moment (architecture rule 3)", () => {
  it(
    "loses no fact and counts none twice",
    { timeout: (ROUNDS + 4) * ROUND_TIMEOUT_MS },
    async () => {
      await using directory = await temporaryDirectory();
      await using installation = await openInstallation(directory.path);
      const { eventLog, personalData, readState } = installation;
      const lag = async () => projectionLag(eventLog, "users", await readState.positions("users"));
      const enough = new AbortController();
      const wanted = async () => enough.signal.aborted || (await lag()) < FACTS_WAITING_MAX;
      const appending = (async () => {
        for (let seed = 0; !enough.signal.aborted; seed += 1) {
          await appendUserFacts(installation, randomUserFacts(seed, FACTS_PER_APPEND, MIXED));
          await waitFor(wanted);
        }
      })();
      for (let round = 0; round < ROUNDS; round += 1)
        await projectAndKill(directory.path, 1 + (round % BATCHES_MAX));
      enough.abort();
      await appending;
      const child = spawn(process.execPath, [SCRIPT, directory.path], { stdio: "ignore" });
      await waitFor(async () => (await lag()) === 0);
      child.kill("SIGKILL");
      await once(child, "close");
      const expected = await foldUsersLog(eventLog, personalData);
      expect(await differencesFrom(expected, readState)).toEqual([]);
    },
  );
});
