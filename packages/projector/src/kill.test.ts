import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { projectionLag } from "./lag.ts";
import { appendUserFacts, openInstallation } from "./testing/installation.ts";
import { randomUserFacts } from "./testing/random-facts.ts";
import { differencesFrom } from "./verify/differences.ts";
import { foldUsersLog } from "./verify/expected-users.ts";

const SCRIPT = fileURLToPath(new URL("./testing/project-until-killed.ts", import.meta.url));
const ROUNDS = 8;
const FACTS_PER_APPEND = 100;
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
  it("loses no fact and counts none twice", { timeout: 120_000 }, async () => {
    await using directory = await temporaryDirectory();
    await using installation = await openInstallation(directory.path);
    const { eventLog, personalData, readState } = installation;
    const enough = new AbortController();
    const appending = (async () => {
      for (let seed = 0; !enough.signal.aborted; seed += 1) {
        await appendUserFacts(installation, randomUserFacts(seed, FACTS_PER_APPEND, MIXED));
      }
    })();
    for (let round = 1; round <= ROUNDS; round += 1) await projectAndKill(directory.path, round);
    enough.abort();
    await appending;
    const child = spawn(process.execPath, [SCRIPT, directory.path], { stdio: "ignore" });
    const isDone = async () =>
      (await projectionLag(eventLog, "users", await readState.positions("users"))) === 0;
    await waitFor(isDone, { timeoutMs: 30_000 });
    child.kill("SIGKILL");
    await once(child, "close");
    const expected = await foldUsersLog(eventLog, personalData);
    expect(await differencesFrom(expected, readState)).toEqual([]);
  });
});
