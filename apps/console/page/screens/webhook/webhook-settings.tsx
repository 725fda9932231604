import { useState } from "preact/hooks";
import { Refused, type Answer } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { Facts } from "../../shared/facts.tsx";
import { TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useAction } from "../../shared/load.ts";
import { Badge, Notice, ProblemNotice } from "../../shared/notice.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { WEBHOOK } from "./webhook.words.ts";

type Webhook = Answer<"adminGetWebhook">["data"];

interface SettingsProps {
  /** Undefined where there is none. */
  readonly webhook: Webhook | undefined;
  readonly onSecret: (secret: string) => void;
  readonly onChanged: () => void;
  /** Told the id of the delivery. */
  readonly onTested: (deliveryId: string) => void;
}

export function WebhookSettings(props: SettingsProps) {
  const { webhook, onSecret, onChanged } = props;
  const said = useWords(WEBHOOK);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const maySet = useMay("settings");
  const action = useAction();
  const put = (url: string) =>
    void action.run(async () => {
      const { data } = await api.call("adminPutWebhook", { tenant_id }, { url });
      if ("secret" in data) onSecret(data.secret);
      announce(said.saved);
      onChanged();
    });
  return (
    <>
      {webhook === undefined ? (
        <p class="empty">{said.noWebhook}</p>
      ) : (
        <Standing {...{ webhook }} />
      )}
      {maySet && <AddressForm url={webhook?.url} action={action} onSubmit={put} />}
      {maySet && webhook !== undefined && (
        <WebhookActions {...props} webhook={webhook} onEnable={() => put(webhook.url)} />
      )}
    </>
  );
}

function Standing({ webhook }: { webhook: Webhook }) {
  const said = useWords(WEBHOOK);
  const format = useFormat();
  const [current, former] = webhook.secrets;
  const since = current === undefined ? "" : said.since(format.time(current.created_at));
  const ends = former?.expires_at ?? null;
  return (
    <>
      {webhook.disabled_reason !== null && (
        <Notice tone="bad">
          <p>{said.disabledBecause}</p>
          <p lang="en">{webhook.disabled_reason}</p>
        </Notice>
      )}
      <Facts
        facts={[
          [said.url, <code>{webhook.url}</code>],
          [
            said.status,
            <Badge tone={webhook.status === "enabled" ? "good" : "bad"}>
              {said.statuses[webhook.status]}
            </Badge>,
          ],
          [said.secret, ends === null ? since : `${since}, ${said.until(format.time(ends))}`],
        ]}
      />
    </>
  );
}

interface AddressProps {
  readonly url: string | undefined;
  readonly action: ReturnType<typeof useAction>;
  readonly onSubmit: (url: string) => void;
}

function AddressForm({ url, action, onSubmit }: AddressProps) {
  const said = useWords(WEBHOOK);
  const common = useWords(COMMON);
  const [text, setText] = useState(url ?? "");
  const { error } = action;
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit(text);
  };
  return (
    <form class="narrow" onSubmit={submit}>
      <TextField
        label={said.url}
        hint={said.urlHint}
        fault={error instanceof Refused ? error.faultAt("/url") : undefined}
        type="url"
        required
        maxLength={2048}
        value={text}
        onValue={setText}
      />
      <ProblemNotice error={error} />
      <button class={url === undefined ? "primary" : undefined} disabled={action.isBusy}>
        {action.isBusy ? common.working : url === undefined ? said.set : said.change}
      </button>
    </form>
  );
}

interface ActionsProps extends SettingsProps {
  readonly webhook: Webhook;
  readonly onEnable: () => void;
}

function WebhookActions({ webhook, onSecret, onChanged, onTested, onEnable }: ActionsProps) {
  const said = useWords(WEBHOOK);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const testing = useAction();
  const [asking, setAsking] = useState<"rotate" | "remove" | undefined>(undefined);
  const close = () => setAsking(undefined);
  const test = () =>
    testing.run(async () => {
      const { data } = await api.call("adminTestWebhook", { tenant_id });
      announce(said.tested);
      onTested(data.delivery_id);
    });
  const rotate = async () => {
    const { data } = await api.call("adminRotateWebhookSecret", { tenant_id });
    close();
    onChanged();
    onSecret(data.secret);
  };
  const remove = async () => {
    await api.call("adminRemoveWebhook", { tenant_id });
    announce(said.removed);
    close();
    onChanged();
  };
  return (
    <>
      <ProblemNotice error={testing.error} />
      <div class="actions">
        {webhook.status === "disabled" && (
          <button type="button" class="primary" onClick={onEnable}>
            {said.enable}
          </button>
        )}
        <button type="button" disabled={testing.isBusy} onClick={test}>
          {said.test}
        </button>
        <button type="button" onClick={() => setAsking("rotate")}>
          {said.rotate}
        </button>
        <button type="button" class="danger" onClick={() => setAsking("remove")}>
          {said.remove}
        </button>
      </div>
      {asking === "rotate" && (
        <ConfirmDialog
          title={said.rotateTitle}
          verb={said.rotate}
          onConfirm={rotate}
          onClose={close}
        >
          <p>{said.rotateText}</p>
        </ConfirmDialog>
      )}
      {asking === "remove" && (
        <ConfirmDialog
          title={said.removeTitle}
          verb={said.remove}
          isDangerous
          onConfirm={remove}
          onClose={close}
        >
          <p>{said.removeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
