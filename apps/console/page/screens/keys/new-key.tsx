import { useState } from "preact/hooks";
import type { KeyKind } from "../../openapi.generated.ts";
import { Refused } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { Dialog } from "../../shared/dialog.tsx";
import { CheckField, ChoiceField, FieldGroup, TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { useAction } from "../../shared/load.ts";
import { ProblemNotice } from "../../shared/notice.tsx";
import { useSession, useTenantId } from "../../shared/session.ts";
import { KINDS, keyWriteOf, NEW_KEY, SCOPES } from "./key-form.ts";
import { KEYS } from "./keys.words.ts";

interface NewKeyProps {
  readonly onIssued: (secret: string) => void;
  readonly onClose: () => void;
}

/** Asks what a new key is to be, and makes it. */
export function NewKeyDialog({ onIssued, onClose }: NewKeyProps) {
  const said = useWords(KEYS);
  const common = useWords(COMMON);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const action = useAction();
  const [draft, setDraft] = useState(NEW_KEY);
  const { error } = action;
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const { data } = await api.call("adminIssueKey", { tenant_id }, keyWriteOf(draft));
      onIssued(data.api_key);
    });
  };
  return (
    <Dialog title={said.createTitle} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label={said.name}
          hint={said.nameHint}
          maxLength={200}
          value={draft.name}
          onValue={(name) => setDraft({ ...draft, name })}
        />
        <ChoiceField
          label={said.kind}
          hint={said.kindHint}
          value={draft.kind}
          options={KINDS.map((kind) => [kind, said.kinds[kind]])}
          onValue={(kind) => setDraft({ ...draft, kind: kind as KeyKind })}
        />
        <FieldGroup legend={said.scopes}>
          {SCOPES.map((scope) => (
            <CheckField
              key={scope}
              label={said.scopeNames[scope]}
              checked={draft.scopes.includes(scope)}
              onValue={(isChosen) =>
                setDraft({
                  ...draft,
                  scopes: SCOPES.filter((one) =>
                    one === scope ? isChosen : draft.scopes.includes(one),
                  ),
                })
              }
            />
          ))}
        </FieldGroup>
        <TextField
          label={`${said.expires} (JST)`}
          hint={said.expiresHint}
          fault={error instanceof Refused ? error.faultAt("/expires_at") : undefined}
          type="datetime-local"
          value={draft.expires}
          onValue={(expires) => setDraft({ ...draft, expires })}
        />
        <ProblemNotice error={error} />
        <div class="actions end">
          <button type="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button class="primary" disabled={action.isBusy || draft.scopes.length === 0}>
            {action.isBusy ? common.working : said.issue}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
