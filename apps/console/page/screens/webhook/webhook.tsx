import { useState } from "preact/hooks";
import { orAbsent } from "../../shared/absent.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { SecretDialog } from "../../shared/secret.tsx";
import { useSession, useTenantId } from "../../shared/session.ts";
import { Deliveries } from "./deliveries.tsx";
import type { Sent } from "./delivery-log.ts";
import { WebhookSettings } from "./webhook-settings.tsx";
import { WEBHOOK } from "./webhook.words.ts";

/** Where a tenant's events go, how they are signed, and what became of each. */
export function WebhookScreen() {
  const said = useWords(WEBHOOK);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const load = useLoad(() => orAbsent(api.call("adminGetWebhook", { tenant_id })), [tenant_id]);
  const [secret, setSecret] = useState<string | undefined>(undefined);
  const [sent, setSent] = useState<Sent | undefined>(undefined);
  return (
    <Page title={said.title} lead={said.lead}>
      <Loaded load={load}>
        {(answer) => (
          <Section title={said.address}>
            <WebhookSettings
              key={answer?.data.url}
              webhook={answer?.data}
              onSecret={setSecret}
              onChanged={load.reload}
              onTested={(deliveryId) => setSent({ deliveryId, attemptsBefore: 0 })}
            />
          </Section>
        )}
      </Loaded>
      <Deliveries sent={sent} onSent={setSent} />
      {secret !== undefined && (
        <SecretDialog title={said.newSecret} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </Page>
  );
}
