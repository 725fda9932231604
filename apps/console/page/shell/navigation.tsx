import { useId, useState } from "preact/hooks";
import { ROUTES, type ScreenRoute } from "../routes.ts";
import { useLanguage, useWords } from "../shared/language.ts";
import { useAction } from "../shared/load.ts";
import { ProblemNotice } from "../shared/notice.tsx";
import { goTo, hashOf } from "../shared/router.ts";
import { useSession, type Session } from "../shared/session.ts";
import { SHELL } from "./shell.words.ts";

interface NavigationProps {
  readonly shown: ScreenRoute | undefined;
  readonly onSignOut: () => Promise<void>;
}

/** The screens this person's role covers; an operator chooses the tenant they are of. */
export function Navigation({ shown, onSignOut }: NavigationProps) {
  const session = useSession();
  const said = useWords(SHELL);
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const signingOut = useAction();
  const { me } = session;
  return (
    <nav class={isOpen ? "side open" : "side"} aria-label={said.navigation}>
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen}
        aria-controls="screens"
        onClick={() => setOpen(!isOpen)}
      >
        {said.menu}
      </button>
      <div id="screens" class="side-content">
        <TenantChoice shown={shown} />
        <ul>
          {offered(session).map((route) => (
            <li key={route.path}>
              <a
                href={hashOf(stepsTo(route, session))}
                aria-current={route === shown ? "page" : undefined}
                onClick={() => setOpen(false)}
              >
                {route.words[language].title}
              </a>
            </li>
          ))}
        </ul>
        <div class="person">
          <p>
            {me.name ?? me.email}
            <br />
            <span class="small">{said.roles[me.role]}</span>
          </p>
          <a href="/docs">{said.docs}</a>
          <button type="button" class="quiet" onClick={() => signingOut.run(onSignOut)}>
            {said.signOut}
          </button>
          <ProblemNotice error={signingOut.error} />
        </div>
      </div>
    </nav>
  );
}

function TenantChoice({ shown }: Pick<NavigationProps, "shown">) {
  const { tenants, tenant, me } = useSession();
  const said = useWords(SHELL);
  const id = useId();
  if (tenant === undefined) return null;
  const nameOf = (one: typeof tenant) =>
    one.status === "suspended" ? `${one.name} (${said.suspended})` : one.name;
  if (me.tenant_id !== null) return <p class="tenant-name">{nameOf(tenant)}</p>;
  const path = shown?.of === "tenant" ? shown.path : (ROUTES[0]?.path ?? "");
  return (
    <div class="field">
      <label for={id}>{said.tenant}</label>
      <select
        id={id}
        value={tenant.tenant_id}
        onChange={(event) => goTo(["tenants", event.currentTarget.value, path])}
      >
        {tenants.map((one) => (
          <option key={one.tenant_id} value={one.tenant_id}>
            {nameOf(one)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** What the person's role covers; screens of a tenant only where there is one. */
export function offered({ me, tenant }: Session): readonly ScreenRoute[] {
  return ROUTES.filter(
    ({ needs, of }) => me.permissions.includes(needs) && (of !== "tenant" || tenant !== undefined),
  );
}

/** The address of a screen. */
export function stepsTo(route: ScreenRoute, { tenant }: Session): readonly string[] {
  if (route.of !== "tenant" || tenant === undefined) return [route.path];
  return ["tenants", tenant.tenant_id, route.path];
}
