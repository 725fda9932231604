import { runWebhooks } from "../run.ts";
import { openParts, type PartsOptions } from "./installation.fixture.ts";

/** A webhooks role in a process of its own: `argv[2]` says what it opens. It runs until it is killed. */
const { root, ...options } = JSON.parse(process.argv[2] ?? "{}") as Omit<PartsOptions, "root"> & {
  readonly root: string;
};
const { deps } = await openParts({ ...options, root: Buffer.from(root, "hex") });
/** Of those that were killed, it ends while the next one works; whoever is alive sends within it. */
const LEASE_MS = 2_000;
const role = await runWebhooks(deps, { targets: "any", leaseMs: LEASE_MS });
process.stdout.write("running\n");
await role.failed;
