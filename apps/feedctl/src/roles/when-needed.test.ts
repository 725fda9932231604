import { waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { whenNeeded } from "./when-needed.ts";

/** A role that notes whether it is open, and the switch that says whether it is needed. */
function lamp({ isNeeded }: { isNeeded: boolean }) {
  const lit = { isNeeded, isOpen: false, openings: 0 };
  const work = Promise.withResolvers<never>();
  const open = async () => {
    lit.isOpen = true;
    lit.openings += 1;
    return {
      failed: work.promise,
      [Symbol.asyncDispose]: async () => void (lit.isOpen = false),
    };
  };
  return { lit, fail: work.reject, start: () => whenNeeded(() => lit.isNeeded, open) };
}

describe("A role that is opened when it is needed", () => {
  it("is open before anything else where it is needed at once", async () => {
    const { lit, start } = lamp({ isNeeded: true });
    await using _role = await start();
    expect(lit.isOpen).toBe(true);
  });

  it("is opened once, when it becomes needed, and stays", async () => {
    const { lit, start } = lamp({ isNeeded: false });
    await using _role = await start();
    expect(lit.isOpen).toBe(false);
    lit.isNeeded = true;
    await waitFor(() => lit.isOpen);
    lit.isNeeded = false;
    expect(lit).toMatchObject({ isOpen: true, openings: 1 });
  });

  it("closes, whether it was ever needed or not", async () => {
    const never = lamp({ isNeeded: false });
    const role = await never.start();
    await role[Symbol.asyncDispose]();
    await expect(role.failed).resolves.toBeUndefined();
    expect(never.lit.openings).toBe(0);

    const once = lamp({ isNeeded: true });
    await (await once.start())[Symbol.asyncDispose]();
    expect(once.lit.isOpen).toBe(false);
  });

  it("fails with what it failed with, also when it was opened later", async () => {
    const { lit, start, fail } = lamp({ isNeeded: false });
    await using role = await start();
    lit.isNeeded = true;
    await waitFor(() => lit.isOpen);
    const broken = new Error("the role's own");
    fail(broken);
    await expect(role.failed).rejects.toBe(broken);
  });
});
