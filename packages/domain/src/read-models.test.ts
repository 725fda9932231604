import { describe, expect, it } from "vitest";
import { FIRST_VERSIONS, versionsAfter } from "./read-models.ts";

type Step = Parameters<typeof versionsAfter>[1];
const after = (...steps: readonly Step[]) => steps.reduce(versionsAfter, FIRST_VERSIONS);

describe("The versions of a read model", () => {
  it("begin with one that is live and kept", () => {
    expect(after()).toEqual({ live: 1, kept: [1], previous: undefined, highest: 1 });
  });

  it("are kept side by side, and one of them is live", () => {
    const built = after({ version: 2, state: "kept" });
    expect(built).toEqual({ live: 1, kept: [1, 2], previous: undefined, highest: 2 });
    const switched = versionsAfter(built, { version: 2, state: "live" });
    expect(switched).toEqual({ live: 2, kept: [1, 2], previous: 1, highest: 2 });
  });

  it("are gone back to as long as they are kept", () => {
    const switched = after({ version: 2, state: "kept" }, { version: 2, state: "live" });
    expect(versionsAfter(switched, { version: 1, state: "live" })).toMatchObject({
      live: 1,
      previous: 2,
    });
    const dropped = versionsAfter(switched, { version: 1, state: "dropped" });
    expect(dropped).toEqual({ live: 2, kept: [2], previous: undefined, highest: 2 });
  });

  it("never lose the one that is live, and never use a number again", () => {
    expect(after({ version: 1, state: "dropped" })).toEqual(FIRST_VERSIONS);
    const gone = after({ version: 2, state: "kept" }, { version: 2, state: "dropped" });
    expect(gone).toEqual({ live: 1, kept: [1], previous: undefined, highest: 2 });
  });
});
