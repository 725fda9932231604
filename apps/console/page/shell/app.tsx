import { useRef, useState } from "preact/hooks";
import type { ScreenRoute } from "../routes.ts";
import { COMMON } from "../shared/common.words.ts";
import { LanguageContext, useWords } from "../shared/language.ts";
import { ProblemNotice } from "../shared/notice.tsx";
import { Page } from "../shared/page.tsx";
import { useSteps } from "../shared/router.ts";
import { SessionContext, type Session, type TenantSummary } from "../shared/session.ts";
import { Navigation, offered } from "./navigation.tsx";
import { usePreferences } from "./preferences.ts";
import { SHELL } from "./shell.words.ts";
import { SignIn } from "./sign-in.tsx";
import { useSigningIn, type SigningIn, type Standing } from "./signing-in.ts";
import { TopBar } from "./top-bar.tsx";

/** The whole console: who is signed in decides what is shown. */
export function App() {
  const preferences = usePreferences();
  const signingIn = useSigningIn();
  const [announced, setAnnounced] = useState("");
  return (
    <LanguageContext.Provider value={preferences.language}>
      <SkipLink />
      <TopBar preferences={preferences} />
      <Content signingIn={signingIn} onAnnounce={setAnnounced} />
      <p class="announced" role="status" aria-live="polite">
        {announced}
      </p>
    </LanguageContext.Provider>
  );
}

interface ContentProps {
  readonly signingIn: SigningIn;
  readonly onAnnounce: (text: string) => void;
}

function Content({ signingIn, onAnnounce }: ContentProps) {
  const { standing } = signingIn;
  const common = useWords(COMMON);
  if (standing.phase === "signed-in")
    return <Console signingIn={signingIn} standing={standing} onAnnounce={onAnnounce} />;
  if (standing.phase === "signed-out")
    return <SignIn reason={standing.reason} signingIn={signingIn} />;
  return (
    <main id="main" class="sign-in">
      {standing.phase === "starting" ? (
        <p role="status">{common.loading}</p>
      ) : (
        <ProblemNotice error={standing.error} />
      )}
    </main>
  );
}

interface ConsoleProps extends ContentProps {
  readonly standing: Extract<Standing, { readonly phase: "signed-in" }>;
}

function Console({ signingIn, standing, onAnnounce }: ConsoleProps) {
  const steps = useSteps();
  const said = useWords(SHELL);
  const common = useWords(COMMON);
  const { me, tenants } = standing;
  const announce = useAnnouncing(onAnnounce);
  const lastTenantId = useRef<string | undefined>(undefined);
  const tenant = chosen(tenants, steps, lastTenantId.current);
  lastTenantId.current = tenant?.tenant_id;
  const session: Session = {
    api: signingIn.api,
    me,
    tenants,
    tenant,
    renew: signingIn.renew,
    announce,
  };
  const [route, rest] = screenOf(session, steps);
  return (
    <SessionContext.Provider value={session}>
      <div class="layout">
        <Navigation shown={route} onSignOut={signingIn.signOut} />
        <main id="main" tabIndex={-1}>
          {route === undefined ? (
            <Page title={said.product}>
              <p>{tenants.length === 0 ? common.noTenant : said.unknown}</p>
            </Page>
          ) : (
            <route.Screen key={`${tenant?.tenant_id} ${route.path}`} steps={rest} />
          )}
        </main>
      </div>
    </SessionContext.Provider>
  );
}

/** The tenant of the address, else the one before, else the first there is. */
function chosen(
  tenants: readonly TenantSummary[],
  [place, tenantId]: readonly string[],
  lastTenantId: string | undefined,
): TenantSummary | undefined {
  const wanted = place === "tenants" ? tenantId : lastTenantId;
  const found = tenants.find((one) => one.tenant_id === wanted);
  return found ?? (place === "tenants" ? undefined : tenants[0]);
}

/** The screen of the address and the steps behind it; the first screen where the address names none. */
function screenOf(
  session: Session,
  steps: readonly string[],
): readonly [ScreenRoute | undefined, readonly string[]] {
  const routes = offered(session);
  const isOfTenant = steps[0] === "tenants";
  const [path, ...rest] = isOfTenant ? steps.slice(2) : steps;
  if (path === undefined) return [routes[0], []];
  const route = routes.find((one) => one.path === path && (one.of === "tenant") === isOfTenant);
  return [route, rest];
}

/** The same words twice are announced twice, and the end of one announcement takes no later one away. */
function useAnnouncing(say: (text: string) => void): (text: string) => void {
  const timers = useRef<readonly number[]>([]);
  return (text) => {
    for (const timer of timers.current) clearTimeout(timer);
    say("");
    timers.current = [
      window.setTimeout(() => say(text), 50),
      window.setTimeout(() => say(""), 6_000),
    ];
  };
}

/** For those who come by keyboard; the address stays, because screens live behind its `#`. */
function SkipLink() {
  const said = useWords(SHELL);
  const skip = (event: Event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>("#main h1")?.focus();
  };
  return (
    <a class="skip" href="#main" onClick={skip}>
      {said.skip}
    </a>
  );
}
