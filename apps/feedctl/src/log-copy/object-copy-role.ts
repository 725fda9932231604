import { installationPaths, openObjectStore, type InstallationConfig } from "@feed/engines";
import { systemClock } from "@feed/runtime";
import { loadRootSecret, openKeyring } from "@feed/signing";
import { ProgressBar, type ProgressOutput } from "../progress-bar.ts";
import { copyObjects, countObjects, type CopiedObjects } from "./object-copy.ts";

/**
 * Copies the objects of an installation's directory into the store that is configured for it outside; undefined where
 * none is.
 *
 * Errors: ObjectStoreUnavailable, RootSecretUnusable, and the signal's reason.
 */
export async function copyObjectsOf(
  installation: InstallationConfig,
  output: ProgressOutput,
  signal: AbortSignal,
): Promise<CopiedObjects | undefined> {
  if (installation.engines?.objectStore === undefined) return undefined;
  const { engines: _outside, ...embedded } = installation;
  await using opened = new AsyncDisposableStack();
  const root = await loadRootSecret({
    directory: installationPaths(installation.dataDirectory).secrets,
    ...(installation.rootSecret !== undefined && { configured: installation.rootSecret }),
  });
  // No addresses are given out here.
  const addresses = {
    keyring: openKeyring({ root, clock: systemClock }),
    clock: systemClock,
    baseUrl: () => "http://localhost",
  };
  const source = opened.use(await openObjectStore(embedded, addresses));
  const target = opened.use(await openObjectStore(installation, addresses));
  const total = await countObjects(source);
  using bar = new ProgressBar(output, "objects");
  let done = 0;
  bar.show(done, total);
  return await copyObjects({ source, target, signal }, () => {
    done += 1;
    bar.show(done, total);
  });
}
