import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Api, Refused, type Me } from "../shared/api.ts";
import { replaceSteps, useSteps } from "../shared/router.ts";
import type { TenantSummary } from "../shared/session.ts";

const TENANTS_PER_PAGE = 1_000;
/** Why signing in through the identity provider came to nothing, as the service says behind `#/sign-in-failed/`. */
const FAILURES = ["expired", "refused", "unverified", "no-access", "not-accepted", "away"] as const;

export type Failure = (typeof FAILURES)[number];
/** Why there is nobody signed in, where that needs saying. */
export type SignedOutReason = "none" | "ended" | "link-used" | Failure;

export type Standing =
  | { readonly phase: "starting" }
  | { readonly phase: "failed"; readonly error: unknown }
  | { readonly phase: "signed-out"; readonly reason: SignedOutReason }
  | {
      readonly phase: "signed-in";
      readonly me: Me;
      readonly tenants: readonly TenantSummary[];
    };

export interface SigningIn {
  readonly api: Api;
  readonly standing: Standing;
  /** Rejects as `Api.call` does. */
  readonly byPassword: (email: string, password: string) => Promise<void>;
  /** What the identity provider is called; undefined where there is none. Rejects as `Api.call` does. */
  readonly providerName: () => Promise<string | undefined>;
  /** Leaves for the identity provider. Rejects as `Api.call` does. */
  readonly byProvider: () => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly renew: (me: Me) => void;
}

/** Who is signed in: by the browser's session, by a link that was opened, or by what the form is given. */
export function useSigningIn(): SigningIn {
  const [standing, setStanding] = useState<Standing>({ phase: "starting" });
  const [step, token] = useSteps();
  const hasBegun = useRef(false);
  const api = useMemo(
    () => new Api(() => setStanding({ phase: "signed-out", reason: "ended" })),
    [],
  );
  const enter = async (me: Me) => {
    api.signedIn(me);
    setStanding({ phase: "signed-in", me, tenants: await tenantsOf(api) });
  };
  useEffect(() => {
    if (step === "sign-in" && token !== undefined) {
      // Out of the address and the history at once: the token must not be seen or sent on.
      replaceSteps([]);
      hasBegun.current = true;
      void byLink(api, token).then(enter).catch(orStanding(setStanding, "link-used"));
      return;
    }
    if (hasBegun.current) return;
    hasBegun.current = true;
    const failure = step === "sign-in-failed" ? failureNamed(token) : "none";
    if (failure !== "none") replaceSteps([]);
    void currentMe(api).then(enter).catch(orStanding(setStanding, failure));
  }, [step === "sign-in" ? token : undefined]);
  return {
    api,
    standing,
    byPassword: async (email, password) =>
      enter((await api.call("adminSignIn", {}, { email, password })).data),
    providerName: async () => (await api.call("adminGetSignInOptions", {})).data.openid?.name,
    byProvider: async () => {
      const { data } = await api.call("adminBeginOpenIdSignIn", {});
      location.assign(data.url);
    },
    signOut: async () => {
      await api.call("adminSignOut", {});
      api.signedOut();
      setStanding({ phase: "signed-out", reason: "none" });
    },
    renew: (me) => {
      api.signedIn(me);
      setStanding((now) => (now.phase === "signed-in" ? { ...now, me } : now));
    },
  };
}

function failureNamed(name: string | undefined): Failure {
  return FAILURES.find((one) => one === name) ?? "not-accepted";
}

async function byLink(api: Api, token: string): Promise<Me> {
  return (await api.call("adminSignInByLink", {}, { token })).data;
}

async function currentMe(api: Api): Promise<Me> {
  return (await api.call("adminGetMe", {})).data;
}

async function tenantsOf(api: Api): Promise<readonly TenantSummary[]> {
  const found: TenantSummary[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof nextPage>> = await nextPage(api, cursor);
    found.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return found;
}

function nextPage(api: Api, cursor: string | null) {
  const after = cursor === null ? {} : { cursor };
  return api.call("adminListTenants", { limit: TENANTS_PER_PAGE, ...after });
}

function orStanding(set: (standing: Standing) => void, reason: SignedOutReason) {
  return (error: unknown) => {
    const isRefused = error instanceof Refused && error.slug === "unauthorized";
    set(isRefused ? { phase: "signed-out", reason } : { phase: "failed", error });
  };
}
