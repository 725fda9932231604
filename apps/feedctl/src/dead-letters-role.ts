import type { StoredFact } from "@feed/domain/facts";
import { openCore, type Core, type InstallationConfig } from "@feed/engines";
import { UnreadableRecord } from "@feed/event-codec";
import { readModelOf } from "@feed/projector";
import {
  originalOf,
  readLetters,
  settleLetter,
  type Letter,
  type Settlement,
} from "@feed/projector/dead-letters/letters";
import { projectionsOf, recordOf, replayRecord } from "@feed/projector/dead-letters/replay-letter";
import { askForReplay, type AskedReplay } from "@feed/projector/dead-letters/replay-requests";
import { projectionTargets } from "@feed/projector/targets/all";
import { ConfigError, systemClock, type Logger } from "@feed/runtime";
import { actor } from "./actor.ts";
import { claimReadModels, openReadModels } from "./operating-role.ts";

/** What a letter's record holds, as far as it can be told. */
export interface ShownLetter {
  readonly letter: Letter;
  /** Absent: this build can't decode it. */
  readonly fact?: StoredFact;
  /** `opened`, `sealed` because their key is gone, or `none`. */
  readonly personal: "opened" | "sealed" | "none";
  /** What there is instead of a fact. */
  readonly undecoded?: { readonly reason: string; readonly bytesBase64: string };
}

/** Of a record that nobody can decode: enough to see what wrote it. */
const UNDECODED_BYTES_MAX = 512;

/** Of the projectors, for each letter: an operator has more patience than a page of the console. */
const ANSWER_TIMEOUT_MS = 30_000;

export type ReplayedLetter = readonly [Letter, AskedReplay];

/** The dead letters of an installation, which may be running. */
export interface DeadLettersRole extends AsyncDisposable {
  list(): Promise<readonly Letter[]>;
  /** @throws ConfigError where there are no such letters, or one was settled before. */
  openOnes(ids: readonly number[]): Promise<readonly Letter[]>;
  show(id: number): Promise<ShownLetter>;
  /**
   * Hands the records to their projections again, and settles those that took effect. Where the read models belong to
   * projectors that run, those are asked to.
   */
  replay(letters: readonly Letter[]): Promise<readonly ReplayedLetter[]>;
  discard(letters: readonly Letter[], note: string): Promise<void>;
}

export async function openDeadLetters(
  installation: InstallationConfig,
  log: Logger,
): Promise<DeadLettersRole> {
  const core = await openCore(installation, systemClock, log);
  return {
    list: () => readLetters(core),
    async openOnes(ids) {
      const letters = named(await readLetters(core), ids);
      const settled = letters.find((letter) => letter.settled !== undefined);
      if (settled === undefined) return letters;
      throw new ConfigError([`dead letter ${settled.id} was ${settled.settled?.outcome} before`]);
    },
    async show(id) {
      const [letter] = named(await readLetters(core), [id]);
      return shown(core, letter as Letter);
    },
    replay: (letters) => replayAll(installation, core, letters, log),
    async discard(letters, note) {
      for (const letter of letters) await settleLetter(core, letter, settlement("discarded", note));
    },
    [Symbol.asyncDispose]: () => core[Symbol.asyncDispose](),
  };
}

function named(letters: readonly Letter[], ids: readonly number[]): readonly Letter[] {
  return ids.map((id) => {
    const letter = letters.find((each) => each.id === id);
    if (letter === undefined) throw new ConfigError([`there is no dead letter ${id}`]);
    return letter;
  });
}

async function shown(core: Core, letter: Letter): Promise<ShownLetter> {
  const original = await originalOf(core, letter);
  const { partition, records, nextOffset } = await recordOf(core.eventLog, letter, original);
  try {
    const fact = core.codec.decode(records[0]?.value ?? original);
    if (!("personal" in fact)) return { letter, fact, personal: "none" };
    const batch = { topic: "users", partition, records, nextOffset } as const;
    const [opened] = await core.personalData.openUserFacts(batch);
    if (opened === undefined || !("fact" in opened)) return { letter, fact, personal: "sealed" };
    if (!("personal" in opened.fact) || opened.fact.personal === null)
      return { letter, fact, personal: "sealed" };
    return { letter, fact: opened.fact as StoredFact, personal: "opened" };
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    const bytesBase64 = Buffer.from(original.subarray(0, UNDECODED_BYTES_MAX)).toString("base64");
    return { letter, personal: "none", undecoded: { reason: error.message, bytesBase64 } };
  }
}

async function replayAll(
  installation: InstallationConfig,
  core: Core,
  letters: readonly Letter[],
  log: Logger,
): Promise<readonly ReplayedLetter[]> {
  const unknown = letters.find((letter) => projectionsOf(letter).length === 0);
  if (unknown !== undefined)
    throw new ConfigError([`this release has no ${unknown.stage} of ${unknown.topic}`]);
  const projections = [...new Set(letters.flatMap(projectionsOf))];
  using claim = await claimUnlessKept(() => claimReadModels(installation, core, projections));
  if (claim === undefined) return askForAll(core, letters);
  const asked = new Set(projections.map(readModelOf));
  await using models = await openReadModels(installation, core, asked, { writer: true });
  const targets = projectionTargets(models, core);
  const services = { clock: systemClock, log };
  const signal = new AbortController().signal;
  const outcomes: ReplayedLetter[] = [];
  for (const letter of letters) {
    const record = await recordOf(core.eventLog, letter, await originalOf(core, letter));
    const names: readonly string[] = projectionsOf(letter);
    const own = targets.filter(({ name }) => names.includes(name));
    const replay = await replayRecord(own, services, record, signal);
    if (replay.outcome === "effective")
      await settleLetter(core, letter, settlement("replayed", ""));
    outcomes.push([letter, replay]);
  }
  return outcomes;
}

/** Undefined: somebody else writes them. */
async function claimUnlessKept(claim: () => Promise<Disposable>): Promise<Disposable | undefined> {
  try {
    return await claim();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

async function askForAll(
  core: Core,
  letters: readonly Letter[],
): Promise<readonly ReplayedLetter[]> {
  const { signal } = new AbortController();
  const outcomes: ReplayedLetter[] = [];
  for (const letter of letters) {
    const timeoutMs = ANSWER_TIMEOUT_MS;
    const asking = { actor: actor(), atMs: systemClock.nowMs(), signal, timeoutMs };
    outcomes.push([letter, await askForReplay(core, letter, asking)]);
  }
  return outcomes;
}

function settlement(outcome: Settlement["outcome"], note: string): Settlement {
  return { outcome, note, actor: actor(), atMs: systemClock.nowMs() };
}
