import { ClientUsageError } from "./errors.ts";

interface Surroundings {
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly navigator?: { readonly product?: unknown };
}

/**
 * Specification, section 1: what runs at a user's must not hold the API key.
 *
 * @throws ClientUsageError in a page, in a worker of a browser, and in React Native.
 */
export function refuseBrowsers(surroundings: Surroundings = globalThis as Surroundings): void {
  const { document, importScripts, navigator } = surroundings;
  const isAtUser =
    document !== undefined ||
    typeof importScripts === "function" ||
    navigator?.product === "ReactNative";
  if (!isAtUser) return;
  throw new ClientUsageError(
    "The API key must stay on a server: call the service from your backend, and your backend from here.",
  );
}
