import { describe, it } from "vitest";
import { changeRules } from "./conformance/change-rules.ts";
import { recallRules } from "./conformance/recall-rules.ts";
import type { OpenIndex, Rule } from "./conformance/rule.ts";

export { CONFORMANCE_DIMENSIONS, CONFORMANCE_MODEL } from "./conformance/articles.ts";
export type { OpenIndex } from "./conformance/rule.ts";

/** Every rule of the port; a list, so that it can be shown that broken adapters fail the right ones. */
export const contentIndexRules: readonly Rule[] = [...recallRules, ...changeRules];

/**
 * What every ContentIndex adapter must do. An adapter's test file is one call:
 *
 *     describeContentIndex("embedded", (test) => async (name) => openIn(directoryOf(test, name)));
 *
 * `openerFor` is called once a rule and gives an opener whose names are that rule's own: the same name
 * opens the same stored index, a new one an empty index, of CONFORMANCE_MODEL and its dimensions.
 */
export function describeContentIndex(
  adapterName: string,
  openerFor: (ruleName: string) => Promise<OpenIndex>,
): void {
  describe(`ContentIndex: ${adapterName}`, () => {
    for (const { name, run } of contentIndexRules) {
      it(name, async () => run(await openerFor(name)));
    }
  });
}
