import type { ComponentType } from "preact";
import type { Permission } from "./openapi.generated.ts";
import { AccountScreen } from "./screens/account/account.tsx";
import { ACCOUNT } from "./screens/account/account.words.ts";
import { AuditScreen } from "./screens/audit/audit.tsx";
import { AUDIT } from "./screens/audit/audit.words.ts";
import { BillingScreen } from "./screens/billing/billing.tsx";
import { BILLING } from "./screens/billing/billing.words.ts";
import { ContentScreen } from "./screens/content/content.tsx";
import { CONTENT } from "./screens/content/content.words.ts";
import { KeysScreen } from "./screens/keys/keys.tsx";
import { KEYS } from "./screens/keys/keys.words.ts";
import { OperationsScreen } from "./screens/operations/operations.tsx";
import { OPERATIONS } from "./screens/operations/operations.words.ts";
import { OverviewScreen } from "./screens/overview/overview.tsx";
import { OVERVIEW } from "./screens/overview/overview.words.ts";
import { PeopleScreen } from "./screens/people/people.tsx";
import { PEOPLE } from "./screens/people/people.words.ts";
import { PushScreen } from "./screens/push/push.tsx";
import { PUSH } from "./screens/push/push.words.ts";
import { ScenariosScreen } from "./screens/scenarios/scenarios.tsx";
import { SCENARIOS } from "./screens/scenarios/scenarios.words.ts";
import { WebhookScreen } from "./screens/webhook/webhook.tsx";
import { WEBHOOK } from "./screens/webhook/webhook.words.ts";
import { UsersScreen } from "./screens/users/users.tsx";
import { USERS } from "./screens/users/users.words.ts";
import type { Words } from "./shared/language.ts";

/** What a screen is given: the steps of the address behind its own path. */
export interface ScreenProps {
  readonly steps: readonly string[];
}

export interface ScreenRoute {
  /** The step of the address that opens it. */
  readonly path: string;
  /** `tenant`: of the chosen tenant, below `#/tenants/{tenant_id}/`. */
  readonly of: "tenant" | "installation" | "person";
  /** What the person's role has to cover for the screen to be offered. */
  readonly needs: Permission;
  readonly words: Words<{ readonly title: string }>;
  readonly Screen: ComponentType<ScreenProps>;
}

/** Every screen, in the order of the navigation. */
export const ROUTES: readonly ScreenRoute[] = [
  { path: "overview", of: "tenant", needs: "read", words: OVERVIEW, Screen: OverviewScreen },
  { path: "billing", of: "tenant", needs: "read", words: BILLING, Screen: BillingScreen },
  { path: "keys", of: "tenant", needs: "read", words: KEYS, Screen: KeysScreen },
  { path: "scenarios", of: "tenant", needs: "read", words: SCENARIOS, Screen: ScenariosScreen },
  { path: "webhook", of: "tenant", needs: "read", words: WEBHOOK, Screen: WebhookScreen },
  { path: "push", of: "tenant", needs: "read", words: PUSH, Screen: PushScreen },
  { path: "content", of: "tenant", needs: "read", words: CONTENT, Screen: ContentScreen },
  { path: "users", of: "tenant", needs: "read", words: USERS, Screen: UsersScreen },
  { path: "people", of: "tenant", needs: "settings", words: PEOPLE, Screen: PeopleScreen },
  { path: "audit", of: "tenant", needs: "read", words: AUDIT, Screen: AuditScreen },
  {
    path: "operations",
    of: "installation",
    needs: "installation",
    words: OPERATIONS,
    Screen: OperationsScreen,
  },
  { path: "account", of: "person", needs: "read", words: ACCOUNT, Screen: AccountScreen },
];
