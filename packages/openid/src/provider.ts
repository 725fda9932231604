import * as client from "openid-client";
import { boundedFetch } from "./bounded-fetch.ts";
import { mayBeAsked } from "./issuer.ts";
import { AnswerNotAccepted, ConsentRefused, ProviderAway } from "./port.ts";
import type { Identity, OpenIdProvider, OpenIdSettings, SignInChecks } from "./port.ts";

/** Of one request. */
const TIMEOUT_MS = 5_000;
/** How long the provider's own description of itself is believed. */
const METADATA_VALIDITY_MS = 10 * 60_000;
const SCOPE = "openid email";

/** Answers of the authorization endpoint that a person gives (RFC 6749, 4.1.2.1; OpenID Connect Core 1.0, 3.1.2.6). */
const REFUSALS: ReadonlySet<string> = new Set([
  "access_denied",
  "consent_required",
  "interaction_required",
  "login_required",
]);
const AWAY: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable"]);

export interface OpenIdProviderOptions {
  readonly clock: { nowMs(): number };
  /** Of one request; 5,000 by default. */
  readonly timeoutMs?: number;
}

/** The provider of these settings, by the authorization code flow with PKCE. Opening makes no request. */
export function openOpenIdProvider(
  settings: OpenIdSettings,
  options: OpenIdProviderOptions,
): OpenIdProvider {
  return new DiscoveredProvider(settings, options);
}

class DiscoveredProvider implements OpenIdProvider {
  readonly name: string;
  readonly #settings: OpenIdSettings;
  readonly #options: OpenIdProviderOptions;
  readonly #issuer: URL;
  #known: { readonly metadata: client.ServerMetadata; readonly atMs: number } | undefined;

  constructor(settings: OpenIdSettings, options: OpenIdProviderOptions) {
    this.name = settings.name;
    this.#settings = settings;
    this.#options = options;
    this.#issuer = new URL(settings.issuer);
  }

  async begin(redirectUri: string) {
    const config = await this.#configuration();
    const checks: SignInChecks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const challenge = await client.calculatePKCECodeChallenge(checks.verifier);
    const parameters = {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: challenge,
      code_challenge_method: "S256",
    };
    const url = await classified(async () => client.buildAuthorizationUrl(config, parameters));
    if (!mayBeAsked(this.#issuer, url))
      throw new AnswerNotAccepted("the authorization endpoint is without TLS");
    return { ...checks, url: url.href };
  }

  async finish(answer: URL, { state, nonce, verifier }: SignInChecks): Promise<Identity> {
    const config = await this.#configuration();
    return classified(async () => {
      const tokens = await client.authorizationCodeGrant(config, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new AnswerNotAccepted("there is no ID token");
      const { iss: issuer, sub: subject } = claims;
      const { email, email_verified } = await this.#emailIn(config, tokens.access_token, claims);
      return {
        issuer,
        subject,
        email: typeof email === "string" && email !== "" ? email : undefined,
        isEmailVerified: email_verified === true,
      };
    });
  }

  /** Of the ID token; many providers say it at their userinfo endpoint alone (OpenID Connect Core 1.0, 5.4). */
  async #emailIn(
    config: client.Configuration,
    accessToken: string,
    claims: client.IDToken,
  ): Promise<Readonly<Record<string, unknown>>> {
    // Both of one answer: an address of one and a verification of the other would not belong together.
    const isSaid = claims["email"] !== undefined && claims["email_verified"] !== undefined;
    if (isSaid || config.serverMetadata().userinfo_endpoint === undefined) return claims;
    return client.fetchUserInfo(config, accessToken, claims.sub);
  }

  /**
   * Made anew for each use from metadata that is kept for a while: the keys that check an ID token's signature belong to it,
   * and are asked for when the token has come, so that a provider may change them at any time.
   */
  async #configuration(): Promise<client.Configuration> {
    const { clientId, clientSecret } = this.#settings;
    const metadata = await this.#metadata();
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication = methods.includes("client_secret_basic")
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const config = new client.Configuration(metadata, clientId, clientSecret, authentication);
    config[client.customFetch] = boundedFetch(this.#issuer);
    config.timeout = this.#timeoutSeconds();
    // Without it the library believes whatever comes from the token endpoint over TLS.
    client.enableNonRepudiationChecks(config);
    if (this.#issuer.protocol === "http:") client.allowInsecureRequests(config);
    return config;
  }

  async #metadata(): Promise<client.ServerMetadata> {
    const atMs = this.#options.clock.nowMs();
    if (this.#known !== undefined && atMs - this.#known.atMs < METADATA_VALIDITY_MS)
      return this.#known.metadata;
    const execute = this.#issuer.protocol === "http:" ? [client.allowInsecureRequests] : [];
    const found = await classified(() =>
      client.discovery(this.#issuer, this.#settings.clientId, undefined, undefined, {
        execute,
        timeout: this.#timeoutSeconds(),
        [client.customFetch]: boundedFetch(this.#issuer),
      }),
    );
    const metadata = found.serverMetadata();
    this.#known = { metadata, atMs };
    return metadata;
  }

  #timeoutSeconds(): number {
    return (this.#options.timeoutMs ?? TIMEOUT_MS) / 1_000;
  }
}

/** Errors of the library as those of the port. Its own hold claims and answers, which are nobody's to see. */
async function classified<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw portErrorOf(error);
  }
}

function portErrorOf(error: unknown): Error {
  if (error instanceof AnswerNotAccepted || error instanceof ProviderAway) return error;
  if (error instanceof client.AuthorizationResponseError) {
    if (REFUSALS.has(error.error))
      return new ConsentRefused("the provider was not allowed to tell");
    if (AWAY.has(error.error)) return new ProviderAway("the provider can't at the moment");
    return new AnswerNotAccepted("the authorization endpoint refused the request");
  }
  if (error instanceof client.ResponseBodyError)
    return new AnswerNotAccepted(`the provider answered ${error.status} ${knownCode(error.error)}`);
  if (error instanceof client.WWWAuthenticateChallengeError)
    return new AnswerNotAccepted(`the provider answered ${error.status} to our credentials`);
  if (error instanceof client.ClientError) {
    if (error.cause instanceof ProviderAway) return error.cause;
    const rule = error.cause instanceof Error ? error.cause.message : error.message;
    return new AnswerNotAccepted(`${rule} (${error.code ?? "no code"})`);
  }
  return new AnswerNotAccepted("the provider's answer can't be used");
}

/** `invalid_grant`, `invalid_client` and the like; nothing that could be more than a word. */
function knownCode(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : "with an error";
}
