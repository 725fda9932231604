import { orAbsent } from "../../shared/absent.ts";
import type { Api } from "../../shared/api.ts";
import { CreditsUsed } from "../../shared/credits-used.tsx";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Notice } from "../../shared/notice.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { hashOf } from "../../shared/router.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { UsageChart } from "../../shared/usage-chart.tsx";
import { concernsOf, type Findings } from "./concerns.ts";
import { OVERVIEW } from "./overview.words.ts";

const DELIVERIES_SHOWN = 20;

/** A tenant at one look. */
export function OverviewScreen() {
  const said = useWords(OVERVIEW);
  const { api } = useSession();
  const tenantId = useTenantId();
  const load = useLoad(() => findingsOf(api, tenantId), [tenantId]);
  return (
    <Page title={said.title} lead={said.lead}>
      <Loaded load={load}>
        {(findings) => (
          <>
            <div class="columns">
              <Section title={said.credits}>
                <CreditsUsed usage={findings.usage} />
              </Section>
              <Section title={said.concerns}>
                <Concerns findings={findings} />
              </Section>
            </div>
            <Section title={said.deliveries}>
              <UsageChart usage={findings.usage} measure="requests" />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Concerns({ findings }: { findings: Findings }) {
  const said = useWords(OVERVIEW);
  const tenantId = useTenantId();
  const concerns = concernsOf(findings, Date.now());
  if (concerns.length === 0) return <Notice tone="good">{said.calm}</Notice>;
  return (
    <ul class="concerns">
      {concerns.map(({ kind, tone, screen, about }) => (
        <li key={`${kind} ${about}`}>
          <Notice tone={tone}>
            <p>
              {said.kinds[kind](about)}{" "}
              {screen !== undefined && (
                <a href={hashOf(["tenants", tenantId, screen])}>{said.look}</a>
              )}
            </p>
          </Notice>
        </li>
      ))}
    </ul>
  );
}

async function findingsOf(api: Api, tenant_id: string): Promise<Findings> {
  const [tenant, usage, webhook, deliveries] = await Promise.all([
    api.call("adminGetTenant", { tenant_id }),
    api.call("adminGetUsage", { tenant_id }),
    orAbsent(api.call("adminGetWebhook", { tenant_id })),
    api.call("adminListWebhookDeliveries", { tenant_id, limit: DELIVERIES_SHOWN }),
  ]);
  return {
    tenant: tenant.data,
    usage: usage.data,
    webhook: webhook?.data ?? null,
    deliveries: deliveries.data,
  };
}
