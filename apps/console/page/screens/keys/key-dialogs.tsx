import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { ChoiceField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { OVERLAP_HOURS, type Key } from "./key-form.ts";
import { KEYS } from "./keys.words.ts";

interface RotateProps {
  readonly held: Key;
  readonly onIssued: (secret: string) => void;
  readonly onClose: () => void;
}

/** Makes the successor of a key; the dialog with its secret takes this one's place. */
export function RotateDialog({ held, onIssued, onClose }: RotateProps) {
  const said = useWords(KEYS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [overlap, setOverlap] = useState("24");
  const rotate = async () => {
    const { data } = await api.call(
      "adminRotateKey",
      { tenant_id, key_id: held.key_id },
      { overlap_hours: Number(overlap) },
    );
    onIssued(data.api_key);
  };
  return (
    <ConfirmDialog title={said.rotateTitle} verb={said.rotate} onConfirm={rotate} onClose={onClose}>
      <p>{said.rotateText}</p>
      <ChoiceField
        label={said.overlap}
        value={overlap}
        options={OVERLAP_HOURS.map((hours) => [hours, said.overlaps[hours]])}
        onValue={setOverlap}
      />
    </ConfirmDialog>
  );
}

interface RevokeProps {
  readonly held: Key;
  readonly onRevoked: () => void;
  readonly onClose: () => void;
}

export function RevokeDialog({ held, onRevoked, onClose }: RevokeProps) {
  const said = useWords(KEYS);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const revoke = async () => {
    await api.call("adminRevokeKey", { tenant_id, key_id: held.key_id });
    announce(said.revoked);
    onRevoked();
    onClose();
  };
  return (
    <ConfirmDialog
      title={said.revokeTitle}
      verb={said.revoke}
      isDangerous
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>{said.revokeText(held.name === "" ? held.prefix : held.name)}</p>
    </ConfirmDialog>
  );
}
