import { useState } from "preact/hooks";

import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { SecretDialog } from "../../shared/secret.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { AddDialog, ChangeDialog } from "./person-forms.tsx";
import { LinkDialog, RemoveDialog } from "./person-dialogs.tsx";
import { PeopleTable } from "./people-table.tsx";
import type { Asking } from "./people-types.ts";
import { PEOPLE } from "./people.words.ts";

/** Who signs in to a tenant; to operators also who else is one. */
export function PeopleScreen() {
  const said = useWords(PEOPLE);
  const tenantId = useTenantId();
  const isOperator = useMay("installation");
  return (
    <Page title={said.title} lead={said.lead}>
      <Group title={said.ofTenant} verb={said.add} tenantId={tenantId} />
      {isOperator && <Group title={said.operators} verb={said.addOperator} tenantId={null} />}
    </Page>
  );
}

interface GroupProps {
  readonly title: string;
  /** Of the button that adds somebody. */
  readonly verb: string;
  /** Null: of no tenant, which operators are. */
  readonly tenantId: string | null;
}

function Group({ title, verb, tenantId }: GroupProps) {
  const { api } = useSession();
  const of = tenantId === null ? {} : { tenant_id: tenantId };
  const load = useLoad(() => api.call("adminListPeople", of), [tenantId ?? undefined]);
  const [asking, setAsking] = useState<Asking | undefined>(undefined);
  return (
    <Section title={title}>
      <Loaded load={load}>
        {({ data: people }) => (
          <PeopleTable
            caption={title}
            people={people.filter((person) => person.tenant_id === tenantId)}
            onAsk={setAsking}
          />
        )}
      </Loaded>
      <div class="actions">
        <button type="button" onClick={() => setAsking({ for: "add", tenantId })}>
          {verb}
        </button>
      </div>
      {asking !== undefined && (
        <Dialogs asking={asking} onAsk={setAsking} onChanged={load.reload} />
      )}
    </Section>
  );
}

interface DialogsProps {
  readonly asking: Asking;
  readonly onAsk: (asking: Asking | undefined) => void;
  readonly onChanged: () => void;
}

function Dialogs({ asking, onAsk, onChanged }: DialogsProps) {
  const said = useWords(PEOPLE);
  const close = () => onAsk(undefined);
  const show = (url: string) => {
    onChanged();
    onAsk({ for: "shown", url });
  };
  switch (asking.for) {
    case "add":
      return <AddDialog tenantId={asking.tenantId} onAdded={show} onClose={close} />;
    case "link":
      return <LinkDialog person={asking.person} onMade={show} onClose={close} />;
    case "change":
      return <ChangeDialog person={asking.person} onChanged={onChanged} onClose={close} />;
    case "remove":
      return <RemoveDialog person={asking.person} onRemoved={onChanged} onClose={close} />;
    case "shown":
      return (
        <SecretDialog
          title={said.linkShown}
          secret={asking.url}
          advice={said.linkAdvice}
          onClose={close}
        />
      );
  }
}
