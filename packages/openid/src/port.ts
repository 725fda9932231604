/** How an installation is known to a provider of identities (OpenID Connect Core 1.0). */
export interface OpenIdSettings {
  /** Issuer identifier; `/.well-known/openid-configuration` lies below it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people call the provider: "Sign in with …". */
  readonly name: string;
}

/** What the provider's answer is checked against; kept by whoever begins, and known to nobody else. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

export interface BegunSignIn extends SignInChecks {
  /** Where the browser goes. */
  readonly url: string;
}

/** Somebody, in the words of the provider. */
export interface Identity {
  readonly issuer: string;
  /** Never given to anybody else by this issuer. */
  readonly subject: string;
  readonly email: string | undefined;
  /** True only where the provider says so. */
  readonly isEmailVerified: boolean;
}

/** One provider of identities. Every call makes a few bounded requests to it, each with a time-out. */
export interface OpenIdProvider {
  readonly name: string;
  /** @throws ProviderAway; AnswerNotAccepted where its metadata can't be used. */
  begin(redirectUri: string): Promise<BegunSignIn>;
  /**
   * Who came back. `answer` is the redirect address with the query that the browser brought; it is good once.
   *
   * @throws ProviderAway; ConsentRefused; AnswerNotAccepted for an answer that is not to what was begun, or not by the
   *   provider.
   */
  finish(answer: URL, begun: SignInChecks): Promise<Identity>;
}

/** The provider does not answer, answers too late or too much, or says itself that it can't. */
export class ProviderAway extends Error {
  override readonly name = "ProviderAway";
}

/** The person, or the provider in the person's place, did not agree. */
export class ConsentRefused extends Error {
  override readonly name = "ConsentRefused";
}

/** What the provider says breaks a rule; the message names the rule and holds nothing of what was said. */
export class AnswerNotAccepted extends Error {
  override readonly name = "AnswerNotAccepted";
}
