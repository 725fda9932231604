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
const ROUNDS = 6;
const FACTS_PER_ROUND = 2_000;
const MIXED = { users: 200, profileShare: 0.2, deletionShare: 0.005 };

/** Projects in a process of its own, which is killed -9 a few milliseconds after its nth batch. */
async function projectAndKill(directory: string, batches: number, delayMs: number): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = 0;
  createInterface(child.stdout).on("line", () => void (printed += 1));
  await waitFor(() => printed >= batches || child.exitCode !== null, { timeoutMs: 20_000 });
  expect(child.exitCode).toBeNull();
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  child.kill("SIGKILL");
  await once(child, "close");
}

describe("a projector that is killed at any moment (architecture rule 3)", () => {
  it("loses no fact and counts none twice", { timeout: 120_000 }, async () => {
    await using directory = await temporaryDirectory();
    await using installation = await openInstallation(directory.path);
    const { eventLog, personalData, readState } = installation;
    for (let round = 0; round < ROUNDS; round += 1) {
      const appending = appendUserFacts(
        installation,
        randomUserFacts(round, FACTS_PER_ROUND, MIXED),
      );
      await projectAndKill(directory.path, 1, round * 3);
      await appending;
    }
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
