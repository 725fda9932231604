import { useState } from "preact/hooks";
import { COMMON } from "./common.words.ts";
import { Dialog } from "./dialog.tsx";
import { useWords } from "./language.ts";
import { useSession } from "./session.ts";

/** Copies a text; says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const said = useWords(COMMON);
  const { announce } = useSession();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce(said.copied);
  };
  // Over plain HTTP browsers give pages no clipboard; the text can still be marked and copied by hand.
  if (!("clipboard" in navigator)) return null;
  return (
    <button type="button" onClick={copy}>
      {isCopied ? said.copied : (label ?? said.copy)}
    </button>
  );
}

interface SecretProps {
  readonly title: string;
  readonly secret: string;
  /** What to do with it; by default, to store it where a backend reads its secrets. */
  readonly advice?: string;
  readonly onClose: () => void;
}

/** A secret in the one answer that has it. */
export function SecretDialog({ title, secret, advice, onClose }: SecretProps) {
  const said = useWords(COMMON);
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{advice ?? said.shownOnce}</p>
      <p class="secret">
        <code>{secret}</code>
      </p>
      <div class="actions end">
        <CopyButton text={secret} />
        <button type="button" class="primary" onClick={onClose}>
          {said.close}
        </button>
      </div>
    </Dialog>
  );
}
