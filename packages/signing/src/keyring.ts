import type { KeyObject } from "node:crypto";
import { createCursors } from "./cursors.ts";
import type { Cursors } from "./cursors.ts";
import { createPathSigning } from "./paths.ts";
import type { PathSigning } from "./paths.ts";
import { createPseudonyms } from "./pseudonyms.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { derivePurposeKeys } from "./purpose-keys.ts";
import { ROOT_SECRET_BYTES } from "./root-secret.ts";
import type { SigningClock } from "./signing-clock.ts";
import { createTrackingTokens } from "./tracking-tokens.ts";
import type { TrackingTokens } from "./tracking-tokens.ts";

/** Everything of an installation that is signed, named or wrapped. Every method is synchronous and quick. */
export interface Keyring extends TrackingTokens, Cursors, PathSigning {
  readonly pseudonyms: Pseudonyms;
  /** AES-256 key under which the data keys of subjects lie in `user-keys`. */
  readonly wrappingKey: KeyObject;
  /** AES-256 key under which the signing secrets of webhooks lie in `tenants`. */
  readonly webhookSecretKey: KeyObject;
  /** AES-256 key under which what is known of people who sign in lies in `tenants`. */
  readonly peopleKey: KeyObject;
  /** HMAC key of the names by which they are found. */
  readonly personRefKey: KeyObject;
  /** HMAC key of the names of their identities at providers. */
  readonly identityRefKey: KeyObject;
  /** AES-256 key under which a browser holds what a sign-in that has begun is checked against. */
  readonly signInKey: KeyObject;
}

interface KeyringOptions {
  /** 32 bytes, of loadRootSecret. */
  readonly root: Uint8Array;
  readonly clock: SigningClock;
}

export function openKeyring({ root, clock }: KeyringOptions): Keyring {
  if (root.length !== ROOT_SECRET_BYTES)
    throw new RangeError(`a root secret has ${ROOT_SECRET_BYTES} bytes`);
  const keys = derivePurposeKeys(root);
  return {
    ...createTrackingTokens(keys, clock),
    ...createCursors(keys, clock),
    ...createPathSigning(keys, clock),
    pseudonyms: createPseudonyms(keys),
    wrappingKey: keys.fixed("key-wrapping"),
    webhookSecretKey: keys.fixed("webhook-secret"),
    peopleKey: keys.fixed("people"),
    personRefKey: keys.fixed("person-ref"),
    identityRefKey: keys.fixed("identity-ref"),
    signInKey: keys.fixed("sign-in"),
  };
}
