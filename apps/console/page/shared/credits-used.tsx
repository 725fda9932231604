import { Facts } from "./facts.tsx";
import { useFormat } from "./format.ts";
import { useWords } from "./language.ts";
import { Progress } from "./progress.tsx";
import { CAP_WARNING_SHARE, type Usage } from "./usage.ts";
import { USAGE } from "./usage.words.ts";

/** What is used of a plan and of a cap, and when the count begins anew. */
export function CreditsUsed({ usage }: { usage: Usage }) {
  const said = useWords(USAGE);
  const format = useFormat();
  const { used_credits: used, plan_credits: plan, cap_credits: cap } = usage;
  const textOf = (whole: number) =>
    said.part(
      format.number(used),
      format.number(whole),
      format.share(whole > 0 ? used / whole : 1),
    );
  return (
    <>
      <p class="tally">{format.number(used)}</p>
      {plan > 0 && <Progress label={said.ofPlan} share={used / plan} text={textOf(plan)} />}
      {cap === null ? (
        <p class="small">{said.noCap}</p>
      ) : (
        <Progress
          label={said.ofCap}
          share={cap > 0 ? used / cap : 1}
          text={textOf(cap)}
          tone={used >= cap ? "bad" : used >= cap * CAP_WARNING_SHARE ? "warning" : "plain"}
        />
      )}
      <Facts facts={[[said.nextReset, format.time(usage.resets_at)]]} />
    </>
  );
}
