import { OPENID_SIGN_IN_TTL_MS } from "@feed/domain/limits";
import { AnswerNotAccepted, ConsentRefused, ProviderAway } from "@feed/openid/port";
import type { OpenIdProvider, SignInChecks } from "@feed/openid/port";
import { seal, unseal } from "@feed/personal-data/sealing";
import type { ReadState } from "@feed/read-state/port";
import type { Logger } from "@feed/runtime";
import type { Keyring } from "@feed/signing";
import { unavailable } from "../problem.ts";
import { OPENID_PATH } from "./openid-cookie.ts";
import { sha256Of } from "./people-desk.ts";
import type { OpenedSession, SignIn } from "./sign-in.ts";
import { SignInFailed } from "./sign-in-failed.ts";

const CONTEXT = "openid-sign-in";
/** A state is good once, on whichever node it comes back, for as long as it is good at all. */
const ONCE = { ratePerSecond: 1_000 / OPENID_SIGN_IN_TTL_MS, burst: 1 };
const RETRY_AFTER_SECONDS = 10;

interface OpenIdSignInDependencies {
  readonly provider: OpenIdProvider;
  readonly signIn: SignIn;
  readonly readState: Pick<ReadState, "takeToken">;
  readonly keyring: Pick<Keyring, "signInKey">;
  /** Where callers reach the service, without a slash at the end. */
  readonly baseUrl: () => string;
  readonly log: Logger;
}

/** A sign-in that has begun, as the browser holds it: sealed. */
interface InFlight extends SignInChecks {
  readonly expiresAtMs: number;
}

/**
 * Signing in through a provider of identities. What an answer is checked against is held by the browser that began, sealed:
 * every node can finish what another began.
 */
export class OpenIdSignIn {
  readonly #deps: OpenIdSignInDependencies;

  constructor(deps: OpenIdSignInDependencies) {
    this.#deps = deps;
  }

  get name(): string {
    return this.#deps.provider.name;
  }

  /**
   * Where the browser is to go, and what it is to hold until it comes back.
   *
   * @throws Problem 429, counted with the tries of the address; 503 while the provider is away.
   */
  async begin(
    address: string,
    nowMs: number,
  ): Promise<{ readonly url: string; readonly sealed: string; readonly expiresAtMs: number }> {
    const { signIn, provider, keyring } = this.#deps;
    await signIn.countAddress(address, nowMs);
    const { url, ...checks } = await provider.begin(this.#redirectUri()).catch((error: unknown) => {
      this.#report(error);
      throw unavailable(
        "The identity provider can't be reached at the moment. Signing in by password works.",
        RETRY_AFTER_SECONDS,
      );
    });
    const expiresAtMs = nowMs + OPENID_SIGN_IN_TTL_MS;
    const inFlight: InFlight = { ...checks, expiresAtMs };
    const sealed = seal(keyring.signInKey, CONTEXT, JSON.stringify(inFlight));
    return { url, sealed: Buffer.from(sealed).toString("base64url"), expiresAtMs };
  }

  /**
   * Whoever came back, with the query of the address they came to.
   *
   * @throws SignInFailed; LogUnavailable, ReadStateUnavailable.
   */
  async finish(
    querystring: string,
    sealed: string | undefined,
    nowMs: number,
  ): Promise<OpenedSession> {
    const { provider, readState, signIn } = this.#deps;
    const answer = new URL(`${this.#redirectUri()}?${querystring}`);
    const checks = sealed === undefined ? undefined : this.#opened(sealed, nowMs);
    if (checks === undefined || answer.searchParams.get("state") !== checks.state)
      throw new SignInFailed("expired");
    const state = sha256Of(checks.state);
    const first = await readState.takeToken(`openid-sign-in:${state}`, ONCE, nowMs);
    if (!first.allowed) throw new SignInFailed("expired");
    const identity = await provider.finish(answer, checks).catch((error: unknown) => {
      throw this.#failureOf(error);
    });
    return signIn.byIdentity(identity, nowMs);
  }

  #redirectUri(): string {
    return `${this.#deps.baseUrl()}${OPENID_PATH}/callback`;
  }

  /** Undefined for what was changed, is another installation's, or has expired. */
  #opened(sealed: string, nowMs: number): InFlight | undefined {
    try {
      const bytes = Buffer.from(sealed, "base64url");
      const plain = unseal(this.#deps.keyring.signInKey, CONTEXT, bytes);
      const inFlight = JSON.parse(plain.toString("utf8")) as InFlight;
      return inFlight.expiresAtMs > nowMs ? inFlight : undefined;
    } catch {
      return undefined;
    }
  }

  #failureOf(error: unknown): unknown {
    if (error instanceof ConsentRefused) return new SignInFailed("refused");
    this.#report(error);
    if (error instanceof ProviderAway) return new SignInFailed("away");
    return error instanceof AnswerNotAccepted ? new SignInFailed("not-accepted") : error;
  }

  /** Messages of the port hold nothing of what was said, other than those of the library. */
  #report(error: unknown): void {
    const reason = error instanceof Error ? error.message : "unknown";
    this.#deps.log.warn({ reason }, "the identity provider signed nobody in");
  }
}
