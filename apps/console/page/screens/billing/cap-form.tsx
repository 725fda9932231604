import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { Notice } from "../../shared/notice.tsx";
import { useSession, useTenantId } from "../../shared/session.ts";
import { BILLING } from "./billing.words.ts";

interface CapFormProps {
  /** Null without one. */
  readonly cap: number | null;
  readonly used: number;
  readonly onChanged: () => void;
}

/** Sets and lifts the cap, each after asking. */
export function CapForm({ cap, used, onChanged }: CapFormProps) {
  const said = useWords(BILLING);
  const format = useFormat();
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const [text, setText] = useState(cap === null ? "" : String(cap));
  const [asking, setAsking] = useState<"set" | "lift" | undefined>(undefined);
  const credits = Number(text);
  const close = () => setAsking(undefined);
  const put = async (next: number | null, done: string) => {
    await api.call("adminPutUsageCap", { tenant_id }, { credits: next });
    announce(done);
    onChanged();
    close();
  };
  const ask = (event: Event) => {
    event.preventDefault();
    setAsking("set");
  };
  return (
    <>
      <form class="narrow" onSubmit={ask}>
        <TextField
          label={said.credits}
          type="number"
          min={0}
          max={1_000_000_000_000}
          step={0.1}
          required
          value={text}
          onValue={setText}
        />
        <div class="actions">
          <button class="primary">{said.set}</button>
          {cap !== null && (
            <button type="button" onClick={() => setAsking("lift")}>
              {said.lift}
            </button>
          )}
        </div>
      </form>
      {asking === "set" && (
        <ConfirmDialog
          title={said.setTitle}
          verb={said.set}
          isDangerous={credits <= used}
          onConfirm={() => put(credits, said.setDone)}
          onClose={close}
        >
          <p>{said.setText(format.number(credits))}</p>
          {credits <= used && <Notice tone="warning">{said.setBelow}</Notice>}
        </ConfirmDialog>
      )}
      {asking === "lift" && (
        <ConfirmDialog
          title={said.liftTitle}
          verb={said.lift}
          onConfirm={() => put(null, said.liftDone)}
          onClose={close}
        >
          <p>{said.liftText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
