import { useState } from "preact/hooks";
import { COMMON } from "../../shared/common.words.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Badge } from "../../shared/notice.tsx";
import { Loaded, Page } from "../../shared/page.tsx";
import { SecretDialog } from "../../shared/secret.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { Table, type Column } from "../../shared/table.tsx";
import { RevokeDialog, RotateDialog } from "./key-dialogs.tsx";
import { isInForce, type Key } from "./key-form.ts";
import { KEYS } from "./keys.words.ts";
import { NewKeyDialog } from "./new-key.tsx";

type Asking =
  | { readonly for: "create" }
  | { readonly for: "rotate" | "revoke"; readonly key: Key }
  | { readonly for: "shown"; readonly secret: string };

/** The keys of a tenant: made, rotated with an overlap, revoked. */
export function KeysScreen() {
  const said = useWords(KEYS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const maySet = useMay("settings");
  const load = useLoad(() => api.call("adminListKeys", { tenant_id }), [tenant_id]);
  const [asking, setAsking] = useState<Asking | undefined>(undefined);
  const create = (
    <button type="button" class="primary" onClick={() => setAsking({ for: "create" })}>
      {said.create}
    </button>
  );
  return (
    <Page title={said.title} lead={said.lead} {...(maySet && { actions: create })}>
      <Loaded load={load}>
        {({ data: keys }) => (
          <div class="card">
            <KeyTable keys={keys} {...(maySet && { onAsk: setAsking })} />
          </div>
        )}
      </Loaded>
      {asking !== undefined && (
        <Dialogs asking={asking} onAsk={setAsking} onChanged={load.reload} />
      )}
    </Page>
  );
}

interface DialogsProps {
  readonly asking: Asking;
  readonly onAsk: (asking: Asking | undefined) => void;
  readonly onChanged: () => void;
}

function Dialogs({ asking, onAsk, onChanged }: DialogsProps) {
  const said = useWords(KEYS);
  const close = () => onAsk(undefined);
  const show = (secret: string) => {
    onChanged();
    onAsk({ for: "shown", secret });
  };
  switch (asking.for) {
    case "create":
      return <NewKeyDialog onIssued={show} onClose={close} />;
    case "rotate":
      return <RotateDialog held={asking.key} onIssued={show} onClose={close} />;
    case "revoke":
      return <RevokeDialog held={asking.key} onRevoked={onChanged} onClose={close} />;
    case "shown":
      return <SecretDialog title={said.newKey} secret={asking.secret} onClose={close} />;
  }
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  /** Undefined where the person's role covers no change. */
  readonly onAsk?: (asking: Asking) => void;
}

function KeyTable({ keys, onAsk }: KeyTableProps) {
  const said = useWords(KEYS);
  const common = useWords(COMMON);
  const columns: Column<Key>[] = [
    { title: said.name, cell: ({ name }) => (name === "" ? said.unnamed : name) },
    { title: said.key, cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      title: said.kind,
      cell: ({ kind }) => (
        <Badge tone={kind === "live" ? "good" : "plain"}>{said.kinds[kind]}</Badge>
      ),
    },
    { title: said.scopes, cell: ({ scopes }) => scopes.join(", ") },
    { title: said.state, cell: (key) => <KeyState held={key} /> },
    { title: said.lastUsed, cell: ({ last_used_on }) => last_used_on ?? common.never },
  ];
  if (onAsk !== undefined)
    columns.push({ title: said.actions, cell: (key) => <KeyActions held={key} onAsk={onAsk} /> });
  return (
    <Table
      caption={said.title}
      columns={columns}
      rows={keys}
      keyOf={({ key_id }) => key_id}
      empty={said.noKeys}
    />
  );
}

function KeyState({ held }: { held: Key }) {
  const said = useWords(KEYS);
  const format = useFormat();
  if (held.expires_at === null) return said.inForce;
  if (!isInForce(held, Date.now())) return <Badge tone="bad">{said.expired}</Badge>;
  return <Badge tone="warning">{said.ends(format.time(held.expires_at))}</Badge>;
}

function KeyActions({ held, onAsk }: { held: Key; onAsk: (asking: Asking) => void }) {
  const said = useWords(KEYS);
  const name = held.name === "" ? held.prefix : held.name;
  return (
    <div class="actions">
      {isInForce(held, Date.now()) && (
        <button
          type="button"
          aria-label={said.rotateOf(name)}
          onClick={() => onAsk({ for: "rotate", key: held })}
        >
          {said.rotate}
        </button>
      )}
      <button
        type="button"
        class="danger"
        aria-label={said.revokeOf(name)}
        onClick={() => onAsk({ for: "revoke", key: held })}
      >
        {said.revoke}
      </button>
    </div>
  );
}
