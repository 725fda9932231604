import { randomUUID } from "node:crypto";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import {
  runFeedctl,
  startFeedctl,
  type ExitedProcess,
  type FeedctlProcess,
} from "@feed/test-kit/service-process";
import { clientOf, type Client } from "./faults/client.ts";
import { enginesOf, removeTopicsAndIndexes } from "./outside-engines.ts";
import { administratorOf, importArticles, makeTenant } from "./tenant-and-articles.ts";

const ADMIN_TOKEN = "admin-token-of-the-test";
const ARTICLES = 40;
/** Members of a group that were killed are missed after 10 s each, and what they had in hand is done by others then. */
export const PATIENCE = { timeoutMs: 180_000 };

export type Role = "api" | "projector" | "push";

/** Roles as processes on the outside engines, with topics, indexes, tables and keys of their own in them. */
export interface RolesCluster extends AsyncDisposable {
  /** In front of the names of topics, indexes, tables and keys. */
  readonly run: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly apiKey: string;
  /** Ended with the cluster, where it has not ended before. */
  readonly start: (role: Role, ...flags: string[]) => Promise<FeedctlProcess>;
  /** Runs a command to its end. */
  readonly feedctl: (...args: readonly string[]) => Promise<ExitedProcess>;
  /** What a tenant asks of one API node. */
  readonly client: (node: FeedctlProcess) => Client;
}

/**
 * Starts `apis` API nodes and `projectors` projectors, with a tenant, its scenario and key, and articles, all of which are in
 * the feeds of every node.
 */
export async function openRolesCluster(counts: {
  readonly apis: number;
  readonly projectors: number;
}): Promise<{
  readonly cluster: RolesCluster;
  readonly apis: readonly FeedctlProcess[];
  readonly projectors: readonly FeedctlProcess[];
}> {
  const run = `t${randomUUID().slice(0, 8)}`;
  const environment = { ...enginesOf(run), ADMIN_TOKEN };
  const opened = new AsyncDisposableStack();
  opened.defer(() => removeTopicsAndIndexes(run));
  const directory = opened.use(await temporaryDirectory()).path;
  const start: RolesCluster["start"] = async (role, ...flags) =>
    opened.use(
      await startFeedctl([role, "--port", "0", "--data", directory, ...flags], { environment }),
    );
  const startAll = async (role: Role, count: number): Promise<readonly FeedctlProcess[]> => {
    const started: FeedctlProcess[] = [];
    while (started.length < count) started.push(await start(role));
    return started;
  };
  const projectors = await startAll("projector", counts.projectors);
  const apis = await startAll("api", counts.apis);
  const [node] = apis;
  if (node === undefined) throw new RangeError("no API node");
  const feedctl: RolesCluster["feedctl"] = (...args) =>
    runFeedctl([...args, "--data", directory], { environment });
  const apiKey = await makeTenant(administratorOf(node.listening, ADMIN_TOKEN));
  await importArticles(feedctl, { directory, count: ARTICLES });
  const cluster: RolesCluster = {
    run,
    environment,
    directory,
    apiKey,
    start,
    feedctl,
    client: ({ listening }) => clientOf(listening, apiKey),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  for (const client of apis.map(cluster.client)) {
    // A node may not have heard of the tenant yet.
    const shown = () => client.feedIds("reader").catch(() => []);
    await waitFor(async () => (await shown()).length === ARTICLES, PATIENCE);
  }
  return { cluster, apis, projectors };
}
