import { runWebhooks } from "../run.ts";
import { openParts, type PartsOptions } from "./installation.fixture.ts";

/** A webhooks role in a process of its own: `argv[2]` says what it opens. It runs until it is killed. */
const { root, ...options } = JSON.parse(process.argv[2] ?? "{}") as Omit<PartsOptions, "root"> & {
  readonly root: string;
};
const { deps } = await openParts({ ...options, root: Buffer.from(root, "hex") });
const role = await runWebhooks(deps, { targets: "any", leaseMs: 300 });
process.stdout.write("running\n");
await role.failed;
