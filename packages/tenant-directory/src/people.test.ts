import { asId, type TenantId } from "@feed/domain/ids";
import type { PeopleFact, Person } from "@feed/domain/people";
import { describe, expect, it } from "vitest";
import { emptyDirectory, foldDirectoryFact } from "./fold.ts";

const tenantId = asId<TenantId>("acme");
const HOUR_MS = 3_600_000;
const person: Person = {
  personId: "p1",
  tenantId,
  role: "editor",
  status: "active",
  emailRef: "ref-1",
  sealed: new Uint8Array([1]),
};

/** The people after these facts, at hours 0, 1, 2, … */
function peopleAfter(facts: readonly Record<string, unknown>[]) {
  const state = emptyDirectory();
  for (const [hour, fact] of facts.entries()) {
    const stamped = { actor: "test", atMs: hour * HOUR_MS, personId: "p1", ...fact };
    foldDirectoryFact(state, stamped as unknown as PeopleFact);
  }
  return state.people;
}

const saved = { type: "person.saved", person };
const started = (
  sha256: string,
  linkSha256: string | null = null,
  identityRef: string | null = null,
) => ({
  type: "session.started",
  sha256,
  linkSha256,
  identityRef,
  expiresAtMs: 100 * HOUR_MS,
});
const link = (expiresAtHour: number) => ({
  type: "sign-in-link.made",
  sha256: "link",
  expiresAtMs: expiresAtHour * HOUR_MS,
});

const linked = (identityRef: string, issuer = "https://id.example", personId = "p1") => ({
  type: "person.identity-linked",
  identityRef,
  issuer,
  personId,
});

describe("People, as their facts add up", () => {
  it("have an e-mail address alone: the first in the log keeps it", () => {
    const { people, byEmailRef } = peopleAfter([
      saved,
      { type: "person.saved", person: { ...person, personId: "p2" } },
    ]);
    expect([...people.keys()]).toEqual(["p1"]);
    expect(byEmailRef.get("ref-1")).toBe("p1");
  });

  it("give an address free that they no longer have", () => {
    const other = { ...person, personId: "p2" };
    const { byEmailRef } = peopleAfter([
      saved,
      { type: "person.saved", person: { ...person, emailRef: "ref-2" } },
      { type: "person.saved", person: other },
    ]);
    expect(Object.fromEntries(byEmailRef)).toEqual({ "ref-2": "p1", "ref-1": "p2" });
  });

  it.each([
    ["a new password", { type: "person.password-set", sealed: new Uint8Array([2]) }],
    ["being disabled", { type: "person.saved", person: { ...person, status: "disabled" } }],
    ["being removed", { type: "person.removed" }],
  ])("lose every session and link by %s", (_, fact) => {
    const { sessions, links } = peopleAfter([saved, started("one"), link(50), fact]);
    expect([sessions.size, links.size]).toEqual([0, 0]);
  });

  it("sign in once by a link, whoever says it twice", () => {
    const { sessions, people } = peopleAfter([
      saved,
      link(50),
      started("one", "link"),
      started("two", "link"),
    ]);
    expect([...sessions.keys()]).toEqual(["one"]);
    expect(people.get("p1")).toMatchObject({ signIns: 1, lastSignInAtMs: 2 * HOUR_MS });
  });

  it("don't sign in by a link that has expired, or is somebody else's", () => {
    expect(peopleAfter([saved, link(2), started("one", "link")]).sessions.size).toBe(0);
    const foreign = { type: "person.saved", person: { ...person, personId: "p2", emailRef: "2" } };
    const byOther = { ...started("one", "link"), personId: "p2" };
    expect(peopleAfter([saved, foreign, link(50), byOther]).sessions.size).toBe(0);
  });

  it("don't sign in while they are disabled", () => {
    const disabled = { type: "person.saved", person: { ...person, status: "disabled" } };
    expect(peopleAfter([disabled, started("one")]).sessions.size).toBe(0);
  });

  it("sign in by an identity that is theirs: the first in the log has it", () => {
    const other = { ...person, personId: "p2", emailRef: "ref-2" };
    const two = { type: "person.saved", person: other };
    const { sessions, byIdentityRef } = peopleAfter([
      saved,
      two,
      started("early", null, "a"),
      linked("a"),
      linked("a", "https://id.example", "p2"),
      { ...started("theirs", null, "a"), personId: "p2" },
      started("one", null, "a"),
    ]);
    expect([...sessions.keys()]).toEqual(["one"]);
    expect(Object.fromEntries(byIdentityRef)).toEqual({ a: "p1" });
  });

  it("have one identity at an issuer, and may have one at each", () => {
    const { people, byIdentityRef } = peopleAfter([
      saved,
      linked("a"),
      linked("b"),
      linked("c", "https://other.example"),
    ]);
    expect([...byIdentityRef.keys()]).toEqual(["a", "c"]);
    expect(people.get("p1")?.identities).toEqual(
      new Map([
        ["https://id.example", "a"],
        ["https://other.example", "c"],
      ]),
    );
  });

  it("keep their identities while they change, and give them free when they are removed", () => {
    const renamed = { type: "person.saved", person: { ...person, role: "viewer" } };
    expect(peopleAfter([saved, linked("a"), renamed]).byIdentityRef.get("a")).toBe("p1");
    const gone = peopleAfter([saved, linked("a"), { type: "person.removed" }, linked("a")]);
    expect(gone.byIdentityRef.size).toBe(0);
  });
});
