import { randomUUID } from "node:crypto";
import type { EngineUrls } from "@feed/engines";
import { runFeedctl, startFeedctl } from "@feed/test-kit/service-process";
import type { ExitedProcess, FeedctlProcess } from "@feed/test-kit/service-process";
import {
  bucketOf,
  enginesOf,
  removeBucket,
  removeTopicsAndIndexes,
} from "../../../tests/outside-engines.ts";
import type { Prepared } from "../installation/prepare.ts";
import { LagWatch } from "../installation/projection-lag.ts";
import { step } from "../progress.ts";

/** An installation whose log lies in Kafka, with topics, indexes, tables, keys and a bucket of its own. */
export interface EnginesInstallation extends AsyncDisposable {
  readonly dataDirectory: string;
  readonly apiKey: string;
  readonly engines: Required<EngineUrls>;
  /** In front of its topics. */
  readonly topicPrefix: string;
  readonly watch: LagWatch;
  /** Runs a command to its end; throws with what it said unless it ended well. */
  run(...args: readonly string[]): Promise<ExitedProcess>;
  /** Starts a role as a process of its own; it ends with the installation, if not before. */
  start(role: string, environment?: Readonly<Record<string, string>>): Promise<FeedctlProcess>;
}

/** Those that are open, for when the process is told to end. */
const installations = new Set<AsyncDisposableStack>();

/** Ends the processes of every installation and removes what it has in the engines. */
export async function removeInstallations(): Promise<void> {
  for (const owned of installations) await owned.disposeAsync();
}

/** Moves what was prepared into the outside engines as an operator does. Disposing removes it there. */
export async function moveToEngines(prepared: Prepared): Promise<EnginesInstallation> {
  const { dataDirectory, apiKey } = prepared;
  const run = `bench${randomUUID().slice(0, 8)}`;
  const environment = { ...enginesOf(run), OBJECT_STORE: bucketOf(run) };
  await using opened = new AsyncDisposableStack();
  opened.use(prepared);
  opened.defer(() => removeBucket(environment.OBJECT_STORE));
  opened.defer(() => removeTopicsAndIndexes(run));
  await step("copying the log into Kafka", () => copyLog(dataDirectory, environment));
  const engines = {
    eventLog: environment.EVENT_LOG,
    schemaRegistry: environment.SCHEMA_REGISTRY,
    contentIndex: environment.CONTENT_INDEX,
    activityStore: environment.ACTIVITY_STORE,
    readState: environment.READ_STATE,
    objectStore: environment.OBJECT_STORE,
  };
  const watch = opened.use(await LagWatch.open(dataDirectory, engines));
  const owned = opened.move();
  installations.add(owned);
  owned.defer(() => void installations.delete(owned));
  return {
    dataDirectory,
    apiKey,
    engines,
    topicPrefix: `${run}.`,
    watch,
    run: (...args) => runToEnd([...args, "--data", dataDirectory], environment),
    start: async (role, more = {}) => {
      const flags = [role, "--port", "0", "--data", dataDirectory];
      return owned.use(await startFeedctl(flags, { environment: { ...environment, ...more } }));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export function portOf({ listening }: FeedctlProcess): number {
  return Number(new URL(listening).port);
}

/** `log copy` reads an embedded log, whatever engines this process is told of. */
async function copyLog(
  dataDirectory: string,
  engines: Readonly<Record<"EVENT_LOG" | "SCHEMA_REGISTRY", string>>,
): Promise<void> {
  const embedded = Object.fromEntries(Object.keys(engines).map((variable) => [variable, ""]));
  const target = ["--to", engines.EVENT_LOG, "--schema-registry", engines.SCHEMA_REGISTRY];
  await runToEnd(["log", "copy", ...target, "--data", dataDirectory], embedded);
}

async function runToEnd(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ExitedProcess> {
  const ended = await runFeedctl(args, { environment });
  if (ended.code === 0) return ended;
  throw new Error(`feedctl ${args.join(" ")}: ${ended.stdout}${ended.stderr}`);
}
