import type { Answer } from "../../shared/api.ts";
import { useWords } from "../../shared/language.ts";
import { Badge } from "../../shared/notice.tsx";
import { CONTENT } from "./content.words.ts";

type Item = Pick<Answer<"adminGetContent">["data"], "licence" | "withheld">;

/** Whether a tenant's feeds may contain an article, or why not. */
export function Delivery({ of: { licence, withheld } }: { of: Item }) {
  const said = useWords(CONTENT);
  if (withheld) return <Badge tone="warning">{said.withheld}</Badge>;
  if (licence === "none") return <Badge tone="plain">{said.notLicensed}</Badge>;
  return <Badge tone="good">{said.delivered}</Badge>;
}
