import { COMMON } from "../../shared/common.words.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { Badge } from "../../shared/notice.tsx";
import { useSession } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { SHELL } from "../../shell/shell.words.ts";
import type { Asking, Person } from "./people-types.ts";
import { PEOPLE } from "./people.words.ts";

interface TableProps {
  readonly caption: string;
  readonly people: readonly Person[];
  readonly onAsk: (asking: Asking) => void;
}

export function PeopleTable({ caption, people, onAsk }: TableProps) {
  const said = useWords(PEOPLE);
  const common = useWords(COMMON);
  const { roles } = useWords(SHELL);
  const format = useFormat();
  const { me } = useSession();
  return (
    <Table<Person>
      caption={caption}
      rows={people}
      keyOf={({ person_id }) => person_id}
      empty={said.nobody}
      columns={[
        {
          title: said.name,
          cell: ({ name, person_id }) =>
            person_id === me.person_id ? `${name} (${said.you})` : name,
        },
        { title: said.email, cell: ({ email }) => email },
        { title: said.role, cell: ({ role }) => roles[role] },
        { title: said.state, cell: (person) => <State person={person} /> },
        {
          title: said.lastSignedIn,
          cell: ({ last_signed_in_at: at }) => (at === null ? common.never : format.time(at)),
        },
        { title: said.actions, cell: (person) => <Actions person={person} onAsk={onAsk} /> },
      ]}
    />
  );
}

function State({ person }: { person: Person }) {
  const said = useWords(PEOPLE);
  return (
    <>
      <Badge tone={person.status === "active" ? "good" : "bad"}>{said.states[person.status]}</Badge>
      {!person.has_password && <div class="small">{said.noPassword}</div>}
      {person.has_openid && <div class="small">{said.byProvider}</div>}
    </>
  );
}

function Actions({ person, onAsk }: { person: Person; onAsk: (asking: Asking) => void }) {
  const said = useWords(PEOPLE);
  const { email } = person;
  return (
    <div class="actions">
      <button
        type="button"
        aria-label={said.linkOf(email)}
        onClick={() => onAsk({ for: "link", person })}
      >
        {said.link}
      </button>
      <button
        type="button"
        aria-label={said.changeOf(email)}
        onClick={() => onAsk({ for: "change", person })}
      >
        {said.change}
      </button>
      <button
        type="button"
        class="danger"
        aria-label={said.removeOf(email)}
        onClick={() => onAsk({ for: "remove", person })}
      >
        {said.remove}
      </button>
    </div>
  );
}
