import { useState } from "preact/hooks";
import type { Answer } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { More } from "../../shared/more.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { usePages } from "../../shared/pages.ts";
import { goTo, hashOf } from "../../shared/router.ts";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import type { ScreenProps } from "../../routes.ts";
import { UsersTransfer } from "./transfer.tsx";
import { UserPage } from "./user.tsx";
import { USERS } from "./users.words.ts";

type User = Answer<"adminListUsers">["data"][number];

/** The users of a tenant, or the one whose id is the next step of the address. */
export function UsersScreen({ steps: [userId] }: ScreenProps) {
  return userId === undefined ? <UserList /> : <UserPage key={userId} userId={userId} />;
}

function UserList() {
  const said = useWords(USERS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const mayTransfer = useMay("settings");
  const pages = usePages(
    (cursor) =>
      api.call("adminListUsers", { tenant_id, limit: 50, ...(cursor !== undefined && { cursor }) }),
    [tenant_id],
  );
  return (
    <Page title={said.title} lead={said.lead}>
      <Section title={said.find}>
        <FindForm />
      </Section>
      <Section title={said.list}>
        <p class="small">{said.listNote}</p>
        <Loaded load={pages.load}>{(users) => <UserTable users={users} />}</Loaded>
        <More pages={pages} />
      </Section>
      {mayTransfer && <UsersTransfer onImported={pages.load.reload} />}
    </Page>
  );
}

function FindForm() {
  const said = useWords(USERS);
  const tenant_id = useTenantId();
  const [userId, setUserId] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    goTo(["tenants", tenant_id, "users", userId.trim()]);
  };
  return (
    <form class="narrow" onSubmit={submit}>
      <TextField
        label={said.userId}
        hint={said.userIdHint}
        required
        value={userId}
        onValue={setUserId}
      />
      <button class="primary">{said.open}</button>
    </form>
  );
}

function UserTable({ users }: { users: readonly User[] }) {
  const said = useWords(USERS);
  const common = useWords(COMMON);
  const format = useFormat();
  const tenant_id = useTenantId();
  return (
    <Table
      caption={said.list}
      rows={users}
      keyOf={({ user_id }) => user_id}
      empty={said.noUsers}
      columns={[
        {
          title: said.userId,
          cell: ({ user_id }) => (
            <a href={hashOf(["tenants", tenant_id, "users", user_id])}>{user_id}</a>
          ),
        },
        {
          title: said.interests,
          cell: ({ properties }) => (properties.interests ?? []).join(", "),
        },
        { title: said.language, cell: ({ properties }) => properties.language ?? "" },
        {
          title: said.sessions,
          cell: ({ total_sessions }) => format.number(total_sessions),
          isNumber: true,
        },
        {
          title: said.lastActive,
          cell: ({ last_active_at }) =>
            last_active_at === null ? common.never : format.time(last_active_at),
        },
      ]}
    />
  );
}
