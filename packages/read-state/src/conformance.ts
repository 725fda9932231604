import { describe, it } from "vitest";
import { closingChecks } from "./conformance/closing.ts";
import { creditChecks } from "./conformance/credits.ts";
import type { Check, ReadStateUnderTest } from "./conformance/harness.ts";
import { modelChecks } from "./conformance/models.ts";
import { pushChecks } from "./conformance/push.ts";
import { reservationChecks } from "./conformance/reservations.ts";
import {
  bucketChecks,
  idempotencyChecks,
  snapshotChecks,
  windowChecks,
} from "./conformance/short-lived.ts";
import { webhookChecks } from "./conformance/webhooks.ts";

/** Everything the port promises, as named checks that can also be run one by one. */
export const readStateChecks: readonly Check[] = [
  ...modelChecks,
  ...creditChecks,
  ...reservationChecks,
  ...pushChecks,
  ...webhookChecks,
  ...windowChecks,
  ...bucketChecks,
  ...snapshotChecks,
  ...idempotencyChecks,
  ...closingChecks,
];

/**
 * What every ReadState must do. An adapter's test file is one call:
 *     describeReadState("embedded", () => openInFreshDirectory());
 * Method: each check gets a fresh, empty read state, drives it through the port alone, and closes it. No mocks, no
 * sleeps. No check can be switched off: an adapter passes all or is not one.
 */
export function describeReadState(
  adapterName: string,
  open: () => Promise<ReadStateUnderTest>,
): void {
  describe(`ReadState: ${adapterName}`, () => {
    // oxlint-disable-next-line vitest/expect-expect -- a check asserts by itself
    it.for(readStateChecks)("$name", async (check) => {
      await using subject = await open();
      await check.run(subject);
    });
  });
}
