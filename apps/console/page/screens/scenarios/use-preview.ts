import { useEffect, useState } from "preact/hooks";
import { Refused, type Answer } from "../../shared/api.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { useSettled } from "../../shared/settled.ts";
import type { Values } from "./setting-fields.ts";

/** What is typed is asked for after a pause of this length. */
const TYPING_MS = 400;

export type PreviewAnswer = Answer<"adminPreviewScenario">;

export interface Preview {
  /** The last that came; `isCurrent` says whether it is of these settings. */
  readonly answer: PreviewAnswer | undefined;
  readonly isCurrent: boolean;
  readonly error: unknown;
  /** What of these settings was refused. */
  readonly refused: Refused | undefined;
}

interface Shown {
  readonly answer: PreviewAnswer | undefined;
  readonly error: unknown;
  /** The question it answers. */
  readonly asked: string;
}

/**
 * What settings that are not saved would show, asked for once they have stayed the same for a moment. An answer to an
 * older question is dropped.
 */
export function usePreview(
  name: string,
  settings: Values,
  { userId, isWanted }: { readonly userId: string; readonly isWanted: boolean },
): Preview {
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [shown, setShown] = useState<Shown>({ answer: undefined, error: undefined, asked: "" });
  const user_id = userId.trim();
  const now = JSON.stringify({ settings, ...(user_id !== "" && { user_id }) });
  const asked = useSettled(now, TYPING_MS);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isLatest = true;
    const settle = (next: (before: Shown) => Shown) => {
      if (isLatest) setShown(next);
    };
    const body = JSON.parse(asked) as Parameters<typeof api.call<"adminPreviewScenario">>[2];
    api.call("adminPreviewScenario", { tenant_id, name }, body).then(
      (answer) => settle(() => ({ answer, error: undefined, asked })),
      (error: unknown) => settle(({ answer }) => ({ answer, error, asked })),
    );
    return () => {
      isLatest = false;
    };
  }, [asked, isWanted]);
  const isAnswered = shown.asked === now;
  const { answer, error } = shown;
  const refused = error instanceof Refused ? error : undefined;
  return {
    answer,
    isCurrent: isAnswered && error === undefined,
    error,
    refused,
  };
}
