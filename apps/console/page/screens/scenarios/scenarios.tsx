import { useState } from "preact/hooks";
import type { ScreenProps } from "../../routes.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Badge } from "../../shared/notice.tsx";
import { Loaded, Page } from "../../shared/page.tsx";
import { goTo, hashOf } from "../../shared/router.ts";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { Table, type Column } from "../../shared/table.tsx";
import { CreateDialog, DefaultDialog, DuplicateDialog } from "./scenario-dialogs.tsx";
import { ScenarioPage } from "./scenario.tsx";
import type { Scenario, Tenant } from "./scenario-types.ts";
import { SCENARIOS } from "./scenarios.words.ts";

type Asking =
  | { readonly for: "create" }
  | { readonly for: "default" | "duplicate"; readonly scenario: Scenario };

/** The scenarios of a tenant, or the one that the address names. */
export function ScenariosScreen({ steps: [name] }: ScreenProps) {
  return name === undefined ? <ScenarioList /> : <ScenarioPage key={name} name={name} />;
}

function ScenarioList() {
  const said = useWords(SCENARIOS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const maySave = useMay("scenarios");
  const load = useLoad(() => api.call("adminGetTenant", { tenant_id }), [tenant_id]);
  const [asking, setAsking] = useState<Asking | undefined>(undefined);
  const create = (
    <button type="button" class="primary" onClick={() => setAsking({ for: "create" })}>
      {said.create}
    </button>
  );
  return (
    <Page title={said.title} lead={said.lead} {...(maySave && { actions: create })}>
      <Loaded load={load}>
        {({ data: tenant }) => (
          <>
            <div class="card">
              <ScenarioTable tenant={tenant} {...(maySave && { onAsk: setAsking })} />
            </div>
            {asking !== undefined && (
              <Dialogs
                asking={asking}
                tenant={tenant}
                onClose={() => setAsking(undefined)}
                onChanged={load.reload}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface DialogsProps {
  readonly asking: Asking;
  readonly tenant: Tenant;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function Dialogs({ asking, tenant, onClose, onChanged }: DialogsProps) {
  const open = (name: string) => goTo(["tenants", tenant.tenant_id, "scenarios", name]);
  if (asking.for === "create") return <CreateDialog onSaved={open} onClose={onClose} />;
  const { scenario } = asking;
  if (asking.for === "duplicate")
    return <DuplicateDialog scenario={scenario} onSaved={open} onClose={onClose} />;
  return (
    <DefaultDialog scenario={scenario} tenant={tenant} onSaved={onChanged} onClose={onClose} />
  );
}

interface TableProps {
  readonly tenant: Tenant;
  /** Undefined where the person's role covers no change. */
  readonly onAsk?: (asking: Asking) => void;
}

function ScenarioTable({ tenant, onAsk }: TableProps) {
  const said = useWords(SCENARIOS);
  const format = useFormat();
  const defaults: Partial<Record<string, unknown>> = { ...tenant.default_scenarios };
  const isDefault = ({ name, type }: Scenario) => defaults[type] === name;
  const columns: Column<Scenario>[] = [
    {
      title: said.name,
      cell: (scenario) => (
        <>
          <a href={hashOf(["tenants", tenant.tenant_id, "scenarios", scenario.name])}>
            {scenario.name}
          </a>{" "}
          {isDefault(scenario) && <Badge tone="good">{said.isDefault}</Badge>}
        </>
      ),
    },
    { title: said.type, cell: ({ type }) => said.types[type] },
    { title: said.version, cell: ({ version }) => version, isNumber: true },
    { title: said.savedAt, cell: ({ saved_at }) => format.time(saved_at) },
  ];
  if (onAsk !== undefined)
    columns.push({
      title: said.actions,
      cell: (scenario) => (
        <RowActions scenario={scenario} isDefault={isDefault(scenario)} onAsk={onAsk} />
      ),
    });
  return (
    <Table
      caption={said.title}
      columns={columns}
      rows={tenant.scenarios}
      keyOf={({ name }) => name}
      empty={said.none}
    />
  );
}

interface RowProps {
  readonly scenario: Scenario;
  readonly isDefault: boolean;
  readonly onAsk: (asking: Asking) => void;
}

function RowActions({ scenario, isDefault, onAsk }: RowProps) {
  const said = useWords(SCENARIOS);
  return (
    <div class="actions">
      {!isDefault && (
        <button
          type="button"
          aria-label={said.makeDefaultOf(scenario.name)}
          onClick={() => onAsk({ for: "default", scenario })}
        >
          {said.makeDefault}
        </button>
      )}
      <button
        type="button"
        aria-label={said.duplicateOf(scenario.name)}
        onClick={() => onAsk({ for: "duplicate", scenario })}
      >
        {said.duplicate}
      </button>
    </div>
  );
}
