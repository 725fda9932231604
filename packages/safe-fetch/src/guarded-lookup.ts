import { lookup } from "node:dns";
import type { LookupAddress, LookupOptions } from "node:dns";
import { isPublicAddress } from "./address-guard.ts";
import { FetchError } from "./fetch-error.ts";

/** All addresses of a name; rejects when there is none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolves as every program of this machine does. */
export const systemResolve: Resolve = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

type LookupCallback = (
  error: Error | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A `lookup` for connections: one private address among those of a name refuses the name, and the
 * connection goes to the very addresses that were checked, so a second answer (DNS rebinding) never
 * matters.
 */
export function guardedLookup(resolve: Resolve) {
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    void answer(resolve, hostname, options.all === true, callback);
  };
}

async function answer(
  resolve: Resolve,
  hostname: string,
  all: boolean,
  callback: LookupCallback,
): Promise<void> {
  let addresses: LookupAddress[];
  try {
    addresses = await resolvePublic(resolve, hostname);
  } catch (error) {
    callback(error as FetchError, []);
    return;
  }
  const [first] = addresses;
  if (all || first === undefined) callback(null, addresses);
  else callback(null, first.address, first.family);
}

async function resolvePublic(resolve: Resolve, hostname: string): Promise<LookupAddress[]> {
  let addresses: readonly LookupAddress[];
  try {
    addresses = await resolve(hostname);
  } catch (cause) {
    throw new FetchError("unresolved", `${hostname} has no address`, { cause });
  }
  if (addresses.length === 0) throw new FetchError("unresolved", `${hostname} has no address`);
  if (!addresses.every(({ address }) => isPublicAddress(address)))
    throw new FetchError("blocked-address", `${hostname} is not on the public internet`);
  return [...addresses];
}
