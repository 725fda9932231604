import { useState } from "preact/hooks";
import { Refused } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { Facts } from "../../shared/facts.tsx";
import { TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useAction } from "../../shared/load.ts";
import { Notice, ProblemNotice } from "../../shared/notice.tsx";
import { Page, Section } from "../../shared/page.tsx";
import { useSession } from "../../shared/session.ts";
import { SHELL } from "../../shell/shell.words.ts";
import { ACCOUNT } from "./account.words.ts";

/** The reader's own account. */
export function AccountScreen() {
  const said = useWords(ACCOUNT);
  const { roles } = useWords(SHELL);
  const format = useFormat();
  const { me } = useSession();
  return (
    <Page title={said.title} lead={said.lead}>
      <Section title={said.you}>
        <Facts
          facts={[
            [said.name, me.name ?? ""],
            [said.email, me.email ?? ""],
            [said.role, roles[me.role]],
            [said.until, me.session_expires_at === null ? "" : format.time(me.session_expires_at)],
          ]}
        />
      </Section>
      <Section title={said.password}>
        {!me.has_password && <Notice tone="warning">{said.first}</Notice>}
        <PasswordForm />
      </Section>
    </Page>
  );
}

function PasswordForm() {
  const said = useWords(ACCOUNT);
  const common = useWords(COMMON);
  const { api, me, renew, announce } = useSession();
  const action = useAction();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const submit = async (event: Event) => {
    event.preventDefault();
    await action.run(async () => {
      const given = me.has_password ? { current_password: current } : {};
      const { data } = await api.call("adminSetPassword", {}, { ...given, new_password: next });
      renew(data);
      setCurrent("");
      setNext("");
      announce(said.done);
    });
  };
  const { error } = action;
  return (
    <form class="narrow" onSubmit={submit}>
      <input type="hidden" name="username" autocomplete="username" value={me.email ?? ""} />
      {me.has_password && (
        <TextField
          label={said.current}
          type="password"
          autocomplete="current-password"
          required
          value={current}
          onValue={setCurrent}
        />
      )}
      <TextField
        label={said.next}
        hint={said.nextHint}
        fault={error instanceof Refused ? error.faultAt("/new_password") : undefined}
        type="password"
        autocomplete="new-password"
        required
        value={next}
        onValue={setNext}
      />
      <ProblemNotice error={error} />
      <button class="primary" disabled={action.isBusy}>
        {action.isBusy ? common.working : said.set}
      </button>
    </form>
  );
}
