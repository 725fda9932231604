import { expect, it } from "vitest";
import { askedOf, EVERYTHING } from "./audit-filter.ts";

it("asks for everything of the tenant where nothing is entered", () => {
  expect(askedOf("acme", EVERYTHING)).toEqual({ tenant_id: "acme" });
});

it("takes times as Japan's, and no blanks around a name", () => {
  const filter = { actor: " demo ", kind: "scenario.saved", from: "2026-11-21T09:00", to: "" };
  expect(askedOf("acme", filter)).toEqual({
    tenant_id: "acme",
    actor: "demo",
    kind: "scenario.saved",
    from: "2026-11-21T00:00:00.000Z",
  });
});
