import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { COMMON } from "./common.words.ts";
import { useWords } from "./language.ts";
import { useAction } from "./load.ts";
import { ProblemNotice } from "./notice.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. Escape closes it; the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly children: ComponentChildren;
  /** The button that does it: a verb. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** Whether what the dialog asks for is there, so that it can be done. */
  readonly isReady?: boolean;
  /** Does it, and closes the dialog at the end. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done, does it, and stays open with the problem where that fails. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, children, verb, isDangerous = false, isReady = true } = props;
  const { onConfirm, onClose } = props;
  const said = useWords(COMMON);
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(onConfirm);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <ProblemNotice error={action.error} />
        <div class="actions end">
          <button type="button" onClick={onClose}>
            {said.cancel}
          </button>
          <button class={isDangerous ? "danger" : "primary"} disabled={action.isBusy || !isReady}>
            {action.isBusy ? said.working : verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
