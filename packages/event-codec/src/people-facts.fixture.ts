import type { StoredFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { TenantId } from "@feed/domain/ids";
import { BUILT_AT_MS } from "@feed/test-kit";

const tenantId = asId<TenantId>("tenant-1");
const change = { actor: "person_1", atMs: BUILT_AT_MS };
const sealed = Buffer.from([9, 8, 7, 0, 255]);
const person = { personId: "person_2", emailRef: "ref", status: "active", sealed } as const;
const sha256 = "0".repeat(64);
const ofPerson = { ...change, personId: "person_2" };
const started = {
  type: "session.started",
  ...ofPerson,
  sha256,
  expiresAtMs: BUILT_AT_MS,
} as const;

/** Facts about people, and those that are there for the audit log. */
export const peopleFacts: readonly StoredFact[] = [
  { type: "person.saved", ...change, person: { ...person, role: "operator", tenantId: null } },
  { type: "person.saved", ...change, person: { ...person, role: "editor", tenantId } },
  { type: "person.password-set", ...ofPerson, sealed },
  { type: "person.removed", ...ofPerson },
  { type: "sign-in-link.made", ...ofPerson, sha256, expiresAtMs: BUILT_AT_MS },
  {
    type: "person.identity-linked",
    ...ofPerson,
    issuer: "https://id.example",
    identityRef: "identity",
  },
  { ...started, linkSha256: null, identityRef: null },
  { ...started, linkSha256: sha256, identityRef: null },
  { ...started, linkSha256: null, identityRef: "identity" },
  { type: "session.ended", ...ofPerson, sha256 },
  {
    type: "usage-threshold.reached",
    ...change,
    tenantId,
    month: "2026-11",
    thresholdPercent: 80,
    usedTenths: 5_000_000_000,
    capTenths: 6_000_000_000,
  },
  {
    type: "action.recorded",
    ...change,
    action: "content.taken-down",
    tenantId: null,
    subject: "content-1",
    details: { reason: "朝", count: 1 },
  },
];
