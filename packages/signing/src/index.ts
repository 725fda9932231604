export type { Cursors } from "./cursors.ts";
export { eventIdOf } from "./event-id.ts";
export type { JsonValue } from "./event-id.ts";
export { openKeyring } from "./keyring.ts";
export type { Keyring } from "./keyring.ts";
export { partitionOf } from "./murmur2.ts";
export type { PathCheck, PathPurpose, PathSigning } from "./paths.ts";
export { userPartition } from "./pseudonyms.ts";
export type { Pseudonyms } from "./pseudonyms.ts";
export { loadRootSecret, RootSecretUnusable } from "./root-secret.ts";
export type {
  DeliveryClaims,
  TokenCheck,
  TrackingClaims,
  TrackingTokens,
} from "./tracking-tokens.ts";
