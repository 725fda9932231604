import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider, type AdapterConstructor, type Configuration } from "oidc-provider";
import type { OpenIdSettings } from "../port.ts";
import { providerMemory } from "./memory.ts";
import { answerPage, isPage, pageOf } from "./pages.ts";

const TTL_SECONDS = 600;

/** What the provider says of an account beside its subject. */
export type Claims = Readonly<Record<string, unknown>>;

/** A real OpenID provider on loopback, with pages on which any password is right. */
export interface TestProvider extends AsyncDisposable {
  /** As the installation is known there. */
  readonly settings: OpenIdSettings;
  /** By login name, which is the subject too. */
  readonly accounts: Map<string, Claims>;
  /** Paths, in the order they were asked for. */
  readonly asked: string[];
  /** Takes this redirect address, and no other, from now on. */
  readonly serve: (redirectUri: string) => void;
  /** Signs with a new key; the old one is gone. */
  readonly rotateKeys: () => void;
  /** Answers this in the provider's place; undefined: the provider again. */
  readonly interrupt: (listener: RequestListener | undefined) => void;
}

interface TestProviderOptions {
  /** Whether ID tokens carry e-mail addresses; otherwise the userinfo endpoint tells them. */
  readonly isEmailInIdToken?: boolean;
}

/** Listens on a free port; `localhost` is another site than 127.0.0.1 to a browser. */
export async function startTestProvider(options: TestProviderOptions = {}): Promise<TestProvider> {
  const accounts = new Map<string, Claims>();
  const asked: string[] = [];
  let redirectUri = "";
  let instead: RequestListener | undefined;
  let handle: RequestListener = (_, response) => response.writeHead(503).end();
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    (instead ?? handle)(request, response);
  });
  // Kept until whoever asks ends it: an idle connection that ended here, just as it is used again, would break that request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const settings = {
    issuer: `http://localhost:${(server.address() as AddressInfo).port}`,
    clientId: "content-feed",
    clientSecret: randomBytes(24).toString("base64url"),
    name: "Example ID",
  };
  const { isEmailInIdToken = false } = options;
  const adapter = providerMemory();
  const begin = () => {
    const given = { accounts, adapter, redirectUri, isEmailInIdToken };
    const provider = new Provider(settings.issuer, configuration(settings, given));
    const answer = provider.callback();
    handle = (request, response) => {
      if (!isPage(request)) return void answer(request, response);
      void answerPage(provider, request, response).catch((error: unknown) =>
        response.writeHead(400).end(String(error)),
      );
    };
  };
  return {
    settings,
    accounts,
    asked,
    serve: (address) => {
      redirectUri = address;
      begin();
    },
    rotateKeys: begin,
    interrupt: (listener) => {
      instead = listener;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function configuration(
  { clientId, clientSecret }: OpenIdSettings,
  given: {
    readonly accounts: ReadonlyMap<string, Claims>;
    readonly adapter: AdapterConstructor;
    readonly redirectUri: string;
    readonly isEmailInIdToken: boolean;
  },
): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const key = { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" };
  return {
    clients: [
      { client_id: clientId, client_secret: clientSecret, redirect_uris: [given.redirectUri] },
    ],
    jwks: { keys: [{ ...key, kid: randomBytes(8).toString("hex") }] },
    adapter: given.adapter,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => pageOf(uid) },
    ttl: {
      AccessToken: TTL_SECONDS,
      AuthorizationCode: TTL_SECONDS,
      Grant: TTL_SECONDS,
      IdToken: TTL_SECONDS,
      Interaction: TTL_SECONDS,
      Session: TTL_SECONDS,
    },
    cookies: { keys: ["of the tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: !given.isEmailInIdToken,
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...given.accounts.get(accountId) }),
    }),
  };
}
