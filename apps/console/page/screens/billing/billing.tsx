import { useState } from "preact/hooks";
import { CreditsUsed } from "../../shared/credits-used.tsx";
import { Facts } from "../../shared/facts.tsx";
import { ChoiceField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Notice } from "../../shared/notice.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { UsageChart } from "../../shared/usage-chart.tsx";
import { billingMonth, type Usage } from "../../shared/usage.ts";
import { BILLING } from "./billing.words.ts";
import { CapForm } from "./cap-form.tsx";

const MONTHS_OFFERED = 12;

/** What a tenant used in a month and what that costs; the cap on it. */
export function BillingScreen() {
  const said = useWords(BILLING);
  const format = useFormat();
  const { api } = useSession();
  const tenant_id = useTenantId();
  const months = Array.from({ length: MONTHS_OFFERED }, (_, back) =>
    billingMonth(Date.now(), back),
  );
  const [month = "", setMonth] = useState(months[0]);
  const load = useLoad(() => api.call("adminGetUsage", { tenant_id, month }), [tenant_id, month]);
  return (
    <Page title={said.title} lead={said.lead}>
      <div class="narrow">
        <ChoiceField
          label={said.month}
          value={month}
          onValue={setMonth}
          options={months.map((each) => [each, format.month(each)])}
        />
      </div>
      <Loaded load={load}>
        {({ data: usage }) => (
          <>
            <div class="columns">
              <Section title={said.used}>
                <CreditsUsed usage={usage} />
                <Alerts usage={usage} />
              </Section>
              <Section title={said.plan}>
                <Plan usage={usage} />
              </Section>
            </div>
            <Section title={said.byDay}>
              <UsageChart usage={usage} measure="credits" hasTable />
            </Section>
            {month === months[0] && <Cap usage={usage} onChanged={load.reload} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Plan({ usage }: { usage: Usage }) {
  const said = useWords(BILLING);
  const format = useFormat();
  const { currency } = usage;
  return (
    <Facts
      facts={[
        [said.included, format.number(usage.plan_credits)],
        [said.unitPrice, format.money(usage.unit_price, currency)],
        [said.overCredits, format.number(usage.over_plan_credits)],
        [said.overCost, format.money(usage.over_plan_cost, currency)],
        [said.rateLimit, said.perSecond(format.number(usage.rate_limit_per_second))],
      ]}
    />
  );
}

function Alerts({ usage: { alerts } }: { usage: Usage }) {
  const said = useWords(BILLING);
  const format = useFormat();
  if (alerts.length === 0) return null;
  return (
    <Notice tone="warning">
      <p>{said.alerts}</p>
      <ul>
        {alerts.map(({ threshold_percent, used_credits, cap_credits, reached_at }) => (
          <li key={reached_at}>
            {said.alert(
              String(threshold_percent),
              format.number(used_credits),
              format.number(cap_credits),
            )}
            {", "}
            {format.time(reached_at)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Cap({ usage, onChanged }: { usage: Usage; onChanged: () => void }) {
  const said = useWords(BILLING);
  const format = useFormat();
  const maySet = useMay("settings");
  const cap = usage.cap_credits;
  return (
    <Section title={said.cap}>
      <p class="small">{said.capLead}</p>
      {cap !== null && <p>{said.capNow(format.number(cap))}</p>}
      {maySet ? (
        <CapForm cap={cap} used={usage.used_credits} onChanged={onChanged} />
      ) : (
        <p class="small">{said.notYours}</p>
      )}
    </Section>
  );
}
