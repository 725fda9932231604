import { useState } from "preact/hooks";
import type { Role } from "../../openapi.generated.ts";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { ChoiceField, TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { useSession } from "../../shared/session.ts";
import { SHELL } from "../../shell/shell.words.ts";
import type { Person } from "./people-types.ts";
import { PEOPLE } from "./people.words.ts";

const TENANT_ROLES = ["viewer", "editor", "tenant_admin"] as const satisfies readonly Role[];
const STATES = ["active", "disabled"] as const;

interface RoleProps {
  readonly role: Role;
  readonly onRole: (role: Role) => void;
}

function RoleField({ role, onRole }: RoleProps) {
  const said = useWords(PEOPLE);
  const { roles } = useWords(SHELL);
  return (
    <ChoiceField
      label={said.role}
      hint={said.roleHints[role]}
      value={role}
      options={TENANT_ROLES.map((each) => [each, roles[each]])}
      onValue={(chosen) => onRole(TENANT_ROLES.find((each) => each === chosen) ?? role)}
    />
  );
}

interface AddProps {
  /** Null: an operator. */
  readonly tenantId: string | null;
  /** Told the link by which the new person signs in. */
  readonly onAdded: (url: string) => void;
  readonly onClose: () => void;
}

/** Adds somebody, and makes the link that is the way in. */
export function AddDialog({ tenantId, onAdded, onClose }: AddProps) {
  const said = useWords(PEOPLE);
  const { api } = useSession();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>(tenantId === null ? "operator" : "viewer");
  const add = async () => {
    const person = { name, email, role, tenant_id: tenantId };
    const { person_id } = (await api.call("adminAddPerson", {}, person)).data;
    onAdded((await api.call("adminMakeSignInLink", { person_id })).data.url);
  };
  return (
    <ConfirmDialog
      title={said.addTitle}
      verb={tenantId === null ? said.addOperator : said.add}
      onConfirm={add}
      onClose={onClose}
    >
      <p>{said.addHint}</p>
      <TextField label={said.name} required maxLength={200} value={name} onValue={setName} />
      <TextField
        label={said.email}
        type="email"
        required
        maxLength={254}
        value={email}
        onValue={setEmail}
      />
      {tenantId !== null && <RoleField role={role} onRole={setRole} />}
    </ConfirmDialog>
  );
}

interface ChangeProps {
  readonly person: Person;
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Name, role and whether somebody may sign in. */
export function ChangeDialog({ person, onChanged, onClose }: ChangeProps) {
  const said = useWords(PEOPLE);
  const { api, announce } = useSession();
  const [name, setName] = useState(person.name);
  const [role, setRole] = useState<Role>(person.role);
  const [status, setStatus] = useState<Person["status"]>(person.status);
  const change = async () => {
    const { person_id, tenant_id } = person;
    const ofTenant = tenant_id === null ? {} : { role };
    await api.call("adminChangePerson", { person_id }, { name, status, ...ofTenant });
    announce(said.changed);
    onChanged();
    onClose();
  };
  return (
    <ConfirmDialog
      title={said.changeTitle(person.email)}
      verb={said.save}
      onConfirm={change}
      onClose={onClose}
    >
      <TextField label={said.name} required maxLength={200} value={name} onValue={setName} />
      {person.tenant_id !== null && <RoleField role={role} onRole={setRole} />}
      <ChoiceField
        label={said.state}
        hint={said.disabledHint}
        value={status}
        options={STATES.map((each) => [each, said.states[each]])}
        onValue={(chosen) => setStatus(chosen === "disabled" ? "disabled" : "active")}
      />
    </ConfirmDialog>
  );
}
