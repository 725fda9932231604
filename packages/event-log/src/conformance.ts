import { describe, it } from "vitest";

import { appendingChecks } from "./conformance/appending.ts";
import { closingChecks } from "./conformance/closing.ts";
import { compactionChecks } from "./conformance/compaction.ts";
import { followingChecks } from "./conformance/following.ts";
import { groupChecks } from "./conformance/groups.ts";
import type { Check, LogUnderTest } from "./conformance/harness.ts";
import { handlerChecks } from "./conformance/handlers.ts";

/** Everything the port promises, as named checks that can also be run one by one. */
export const eventLogChecks: readonly Check[] = [
  ...appendingChecks,
  ...groupChecks,
  ...handlerChecks,
  ...followingChecks,
  ...compactionChecks,
  ...closingChecks,
];

/**
 * What every EventLog must do. An adapter's test file is one call:
 *     describeEventLog("embedded", () => openInFreshDirectory());
 * Method: each check gets a fresh, empty log, drives it through the port alone, and closes it. No mocks,
 * no sleeps. No check can be switched off: an adapter passes all or is not one.
 */
export function describeEventLog(adapterName: string, open: () => Promise<LogUnderTest>): void {
  describe(`EventLog: ${adapterName}`, () => {
    // oxlint-disable-next-line vitest/expect-expect -- a check asserts by itself
    it.for(eventLogChecks)("$name", async (check) => {
      await using subject = await open();
      await check.run(subject);
    });
  });
}
