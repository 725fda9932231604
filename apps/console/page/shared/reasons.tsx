import type { Answer } from "./api.ts";
import { useFormat } from "./format.ts";
import { useWords } from "./language.ts";
import { Badge } from "./notice.tsx";
import { REASONS } from "./reasons.words.ts";

type Explanation = Answer<"adminPreviewFeed">["data"][number]["explanation"];
/** Words for what the service names; what it names anew is shown as it comes. */
type Named = Partial<Record<string, string>>;

/** Why an article stands where it stands, in words. */
export function Reasons({ of: { explanation } }: { of: { readonly explanation: Explanation } }) {
  const said = useWords(REASONS);
  const format = useFormat();
  const { parts, boosts, found_by, ranking_rules = [], because_of, moved, rule } = explanation;
  const foundBy: Named = said.foundBy;
  const boostNames: Named = said.boosts;
  const rules: Named = said.rules;
  const sum = Object.entries(said.parts).map(([name, word]) => {
    return `${word} ${format.number(parts[name as keyof typeof parts])}`;
  });
  const factors = Object.entries(boosts).filter(([, factor]) => factor !== 1);
  return (
    <>
      {found_by.map((leg) => (
        <span key={leg}>
          <Badge tone="plain">{foundBy[leg] ?? leg}</Badge>{" "}
        </span>
      ))}
      {because_of !== undefined && <div>{said.becauseOf(because_of.title)}</div>}
      {ranking_rules.map(({ match, factor }) => {
        const by = factor > 1 ? said.lifted : said.buried;
        return <div key={match}>{by(said.ruleOf[match], `×\u00a0${format.number(factor)}`)}</div>;
      })}
      <div class="small">
        {[
          sum.join(" + "),
          ...factors.map(([name, factor]) => {
            return `× ${format.number(factor)} ${boostNames[name] ?? name}`;
          }),
          ...(moved === 0 ? [] : [said.movedBy(format.number(moved))]),
          ...(rule === undefined ? [] : [rules[rule] ?? rule]),
        ].join(", ")}
      </div>
    </>
  );
}
