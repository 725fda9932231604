import { ConfirmDialog } from "../../shared/dialog.tsx";
import { useWords } from "../../shared/language.ts";
import { goTo } from "../../shared/router.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { CONTENT } from "./content.words.ts";

export type Asking = "withhold" | "release" | "takeDown";

interface DialogProps {
  readonly id: string;
  readonly asking: Asking;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before an article is withheld, released, or taken down for everybody, and does it. */
export function ArticleDialog({ id, asking, onDone, onClose }: DialogProps) {
  const said = useWords(CONTENT);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const named = { tenant_id, content_id: id };
  const acts = {
    withhold: {
      title: said.withholdTitle,
      text: said.withholdText,
      done: said.withheldDone,
      work: () => api.call("adminWithholdContent", named),
    },
    release: {
      title: said.releaseTitle,
      text: said.releaseText,
      done: said.released,
      work: () => api.call("adminReleaseContent", named),
    },
    takeDown: {
      title: said.takeDownTitle,
      text: said.takeDownText,
      done: said.takenDown,
      work: () => api.call("adminTakeDownContent", { content_id: id }),
    },
  };
  const act = acts[asking];
  const confirm = async () => {
    await act.work();
    announce(act.done);
    if (asking === "takeDown") goTo(["tenants", tenant_id, "content"]);
    onDone();
    onClose();
  };
  return (
    <ConfirmDialog
      title={act.title}
      verb={said[asking]}
      isDangerous={asking === "takeDown"}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{act.text}</p>
    </ConfirmDialog>
  );
}
