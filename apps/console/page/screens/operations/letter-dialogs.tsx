import { useState } from "preact/hooks";
import type { Answer } from "../../shared/api.ts";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { useSession } from "../../shared/session.ts";
import type { Letter } from "./dead-letters.tsx";
import { OPERATIONS } from "./operations.words.ts";

interface ReplayProps {
  readonly letter: Letter;
  readonly onReplayed: (replay: Answer<"adminReplayDeadLetter">["data"]) => void;
  readonly onClose: () => void;
}

/** Asks before projectors take a record once more. */
export function ReplayDialog({ letter: { letter_id }, onReplayed, onClose }: ReplayProps) {
  const said = useWords(OPERATIONS);
  const { api, announce } = useSession();
  const replay = async () => {
    const { data } = await api.call("adminReplayDeadLetter", { letter_id });
    announce(said.replays[data.outcome](data.projection ?? ""));
    onReplayed(data);
    onClose();
  };
  return (
    <ConfirmDialog title={said.replayTitle} verb={said.replay} onConfirm={replay} onClose={onClose}>
      <p>{said.replayText}</p>
    </ConfirmDialog>
  );
}

interface DiscardProps {
  readonly letter: Letter;
  readonly onDiscarded: () => void;
  readonly onClose: () => void;
}

/** Asks for the reason before a record is given up for good. */
export function DiscardDialog({ letter: { letter_id }, onDiscarded, onClose }: DiscardProps) {
  const said = useWords(OPERATIONS);
  const { api, announce } = useSession();
  const [note, setNote] = useState("");
  const discard = async () => {
    await api.call("adminDiscardDeadLetter", { letter_id }, { note: note.trim() });
    announce(said.discarded);
    onDiscarded();
    onClose();
  };
  return (
    <ConfirmDialog
      title={said.discardTitle}
      verb={said.discard}
      isDangerous
      isReady={note.trim() !== ""}
      onConfirm={discard}
      onClose={onClose}
    >
      <p>{said.discardText}</p>
      <TextField label={said.note} maxLength={500} required value={note} onValue={setNote} />
    </ConfirmDialog>
  );
}
