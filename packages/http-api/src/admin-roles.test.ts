import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Role } from "@feed/domain/people";
import { ROLES } from "@feed/domain/people";
import { operationsOf, readOpenapiDocument } from "./openapi-document.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";
import { signInAs, type SignedIn } from "./testing/people.ts";

/**
 * Goal: what each role may do is said here for every operation of the admin API, and a new one can't be added without.
 * Method: each is called by a person of each role on their own tenant, and by an admin of another, with a body that is
 * refused where it has one: so that 400 means allowed, and nothing is changed.
 */
const EVERYBODY = "everybody";
const EDITORS = "editors";
const ADMINS = "admins";
const OPERATORS = "operators";
const LEAST: Readonly<Record<string, readonly Role[]>> = {
  [EVERYBODY]: ROLES,
  [EDITORS]: ["operator", "tenant_admin", "editor"],
  [ADMINS]: ["operator", "tenant_admin"],
  [OPERATORS]: ["operator"],
};
const WHO_MAY: Readonly<Record<string, string>> = {
  adminSignOut: EVERYBODY,
  adminGetMe: EVERYBODY,
  adminSetPassword: EVERYBODY,
  adminListPeople: EVERYBODY,
  adminGetPerson: EVERYBODY,
  adminAddPerson: ADMINS,
  adminChangePerson: ADMINS,
  adminRemovePerson: ADMINS,
  adminMakeSignInLink: ADMINS,
  adminListTenants: EVERYBODY,
  adminGetTenant: EVERYBODY,
  adminPutTenant: OPERATORS,
  adminChangeTenant: ADMINS,
  adminPutDefaultScenarios: EDITORS,
  adminGetUsage: EVERYBODY,
  adminPutUsageCap: ADMINS,
  adminListKeys: EVERYBODY,
  adminIssueKey: ADMINS,
  adminRotateKey: ADMINS,
  adminRevokeKey: ADMINS,
  adminListLicences: EVERYBODY,
  adminPutLicence: ADMINS,
  adminResetLicence: ADMINS,
  adminListWithheldContents: EVERYBODY,
  adminWithholdContent: EDITORS,
  adminReleaseContent: EDITORS,
  adminSearchContents: EVERYBODY,
  adminGetContent: EVERYBODY,
  adminListScenarios: EVERYBODY,
  adminGetScenario: EVERYBODY,
  adminPutScenario: EDITORS,
  adminListScenarioVersions: EVERYBODY,
  adminRestoreScenario: EDITORS,
  adminDuplicateScenario: EDITORS,
  adminPreviewScenario: EDITORS,
  adminListExperiments: EVERYBODY,
  adminStartExperiment: EDITORS,
  adminGetExperiment: EVERYBODY,
  adminChangeExperiment: EDITORS,
  adminEndExperiment: EDITORS,
  adminReportExperiment: EVERYBODY,
  adminGetWebhook: EVERYBODY,
  adminPutWebhook: ADMINS,
  adminRemoveWebhook: ADMINS,
  adminRotateWebhookSecret: ADMINS,
  adminTestWebhook: ADMINS,
  adminListWebhookDeliveries: EVERYBODY,
  adminGetWebhookDelivery: EVERYBODY,
  adminResendWebhookDelivery: ADMINS,
  adminListSources: OPERATORS,
  adminAddSource: OPERATORS,
  adminPreviewSource: OPERATORS,
  adminGetSource: OPERATORS,
  adminChangeSource: OPERATORS,
  adminRemoveSource: OPERATORS,
  adminRecrawlSource: OPERATORS,
  adminTakeDownContent: OPERATORS,
  adminGetOperations: OPERATORS,
  adminListDeadLetters: OPERATORS,
  adminDiscardDeadLetter: OPERATORS,
  adminReplayDeadLetter: OPERATORS,
  adminListUsers: EVERYBODY,
  adminGetUser: EVERYBODY,
  adminPreviewFeed: EVERYBODY,
  adminDeleteUser: ADMINS,
  adminListPushJobs: EVERYBODY,
  adminGetPushJob: EVERYBODY,
  adminCancelPushJob: ADMINS,
  adminImportUsers: ADMINS,
  adminExportUsers: ADMINS,
  adminListAudit: EVERYBODY,
  adminExportAudit: EVERYBODY,
};

const operations = operationsOf(readOpenapiDocument()).filter(
  ({ needs }) => needs === "adminToken",
);

let installation: Installation;
let strangers: SignedIn;
const people = new Map<Role, SignedIn>();
beforeAll(async () => {
  installation = await openInstallation();
  for (const role of ROLES) people.set(role, await signInAs(installation, role));
  strangers = await signInAs(installation, "tenant_admin", "two");
});
afterAll(() => installation[Symbol.asyncDispose]());

/** On tenant `one`, and on the signed-in viewer as a person. */
function pathOf({ path, parameters }: (typeof operations)[number]): string {
  const values: Readonly<Record<string, string>> = {
    tenant_id: "one",
    person_id: people.get("viewer")?.me.person_id ?? "",
    name: "main",
    source_id: "source-1",
  };
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? "unknown");
  const asked = parameters.find((one) => one.in === "query" && one.required === true);
  const query = asked === undefined ? "" : `?${asked.name}=http://127.0.0.1:1/`;
  return `${filled.replace("/admin/v1", "")}${query}`;
}

describe("What each role may do", () => {
  it("is said for every operation of the document", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(Object.keys(WHO_MAY).toSorted()).toEqual(ids.toSorted());
  });

  // Those that end what the test stands on come last.
  const ENDING = ["adminRemovePerson", "adminSignOut"];
  const ordered = [
    ...operations.filter(({ operationId }) => !ENDING.includes(operationId)),
    ...ENDING.map((id) => operations.find(({ operationId }) => operationId === id)!),
  ];

  it.each(ordered.map((operation) => [operation.operationId, operation] as const))(
    "%s",
    async (operationId, operation) => {
      const { method, bodyPointer } = operation;
      const path = pathOf(operation);
      const body = bodyPointer === undefined ? undefined : [];
      const allowed = LEAST[WHO_MAY[operationId] ?? ""] ?? [];
      for (const role of [...ROLES].reverse()) {
        const { status } = await people.get(role)!.call(method, path, body);
        // Whoever was removed by an earlier role of this test is gone.
        if (status === 401) continue;
        const isRefused = status === 403;
        expect([role, isRefused]).toEqual([role, !allowed.includes(role)]);
        const isRead = bodyPointer === undefined || isRefused || status === 400;
        expect([role, isRead]).toEqual([role, true]);
      }
      if (!path.includes("/tenants/one") && !path.includes("/people/")) return;
      const foreign = await strangers.call(method, path, body);
      // A body is read before a person is looked for.
      expect([404, ...(path.includes("/people/") && body ? [400] : [])]).toContain(foreign.status);
    },
  );
});
