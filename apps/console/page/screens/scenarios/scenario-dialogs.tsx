import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { ChoiceField, TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import type { Scenario, Tenant } from "./scenario-types.ts";
import { SCENARIOS } from "./scenarios.words.ts";

/** Names that are no step of an address are the service's to refuse, but for `.` and `..`. */
const NAME_PATTERN = "(?!\\.{1,2}$)[A-Za-z0-9._\\-]{1,100}";

interface NameProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function NameField({ value, onValue }: NameProps) {
  const said = useWords(SCENARIOS);
  return (
    <TextField
      label={said.name}
      hint={said.nameHint}
      required
      pattern={NAME_PATTERN}
      maxLength={100}
      value={value}
      onValue={onValue}
    />
  );
}

interface SavingProps {
  /** Told the name that is there now. */
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}

export function CreateDialog({ onSaved, onClose }: SavingProps) {
  const said = useWords(SCENARIOS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [name, setName] = useState("");
  const [type, setType] = useState<Scenario["type"]>("feed");
  const create = async () => {
    // Version 0: refused where there is one of this name already.
    await api.call("adminPutScenario", { tenant_id, name }, { type, expected_version: 0 });
    onSaved(name);
  };
  return (
    <ConfirmDialog title={said.createTitle} verb={said.create} onConfirm={create} onClose={onClose}>
      <p>{said.createHint}</p>
      <NameField value={name} onValue={setName} />
      <ChoiceField
        label={said.type}
        value={type}
        options={[
          ["feed", said.types.feed],
          ["push", said.types.push],
        ]}
        onValue={(chosen) => setType(chosen === "push" ? "push" : "feed")}
      />
    </ConfirmDialog>
  );
}

export function DuplicateDialog({
  scenario,
  onSaved,
  onClose,
}: SavingProps & { readonly scenario: Scenario }) {
  const said = useWords(SCENARIOS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [copy, setCopy] = useState(`${scenario.name}-2`);
  const duplicate = async () => {
    const { name } = scenario;
    await api.call("adminDuplicateScenario", { tenant_id, name }, { name: copy });
    onSaved(copy);
  };
  return (
    <ConfirmDialog
      title={said.duplicateTitle}
      verb={said.duplicate}
      onConfirm={duplicate}
      onClose={onClose}
    >
      <p>{said.duplicateText(scenario.name)}</p>
      <NameField value={copy} onValue={setCopy} />
    </ConfirmDialog>
  );
}

interface DefaultProps extends SavingProps {
  readonly scenario: Scenario;
  readonly tenant: Tenant;
}

export function DefaultDialog({ scenario, tenant, onSaved, onClose }: DefaultProps) {
  const said = useWords(SCENARIOS);
  const { api, announce } = useSession();
  const { name, type } = scenario;
  const set = async () => {
    const { tenant_id, default_scenarios } = tenant;
    const others: { feed?: string; push?: string } = default_scenarios;
    await api.call("adminPutDefaultScenarios", { tenant_id }, { ...others, [type]: name });
    announce(said.defaultDone);
    onSaved(name);
    onClose();
  };
  return (
    <ConfirmDialog
      title={said.defaultTitle}
      verb={said.makeDefault}
      onConfirm={set}
      onClose={onClose}
    >
      <p>{said.defaultText(name, said.types[type])}</p>
    </ConfirmDialog>
  );
}
