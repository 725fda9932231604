import { asId, type ContentId, type SubjectId, type TenantId, type UserId } from "@feed/domain/ids";
import { NO_CONDITIONS, type PushConditions } from "@feed/domain/push-facts";
import { NO_ROWS, type ActivityRows, type EventRow } from "@feed/projections/activity-rows";
import { expect, it } from "vitest";
import type { OpenedForConformance } from "../conformance.ts";
import type { AudienceUser } from "../port.ts";

const DAY_MS = 24 * 3_600_000;
const NOW_MS = Date.UTC(2026, 4, 20, 12);
const NO_POSITIONS = new Map<number, number>();

type Subject = Pick<OpenedForConformance, "store" | "select"> & { readonly tenantId: TenantId };

function rowsOf({ store, tenantId }: Subject) {
  return {
    store,
    apply: (rows: Partial<ActivityRows>) =>
      store.apply("users", { ...NO_ROWS, ...rows }, NO_POSITIONS),
    identity: (subject: string) => ({
      tenantId,
      subjectId: asId<SubjectId>(subject),
      userId: asId<UserId>(`user-${subject}`),
    }),
    created: (subject: string, offset = 0) => ({
      tenantId,
      subjectId: asId<SubjectId>(subject),
      offset,
      changedAtMs: NOW_MS,
      creates: true,
      deletes: false,
    }),
    event: (eventId: string, changes: Partial<EventRow> = {}): EventRow => ({
      tenantId,
      subjectId: asId<SubjectId>("s1"),
      ofUser: true,
      eventId,
      kind: "session_start",
      occurredAtMs: NOW_MS,
      receivedAtMs: NOW_MS,
      offset: 0,
      ...changes,
    }),
  };
}

/** What an ActivityStore must do for push jobs. */
export function pushRules(opened: () => Subject): void {
  it("says of every user which conditions of a push job leave them out (spec 2.8)", async () => {
    const { store, created, identity, event, apply } = rowsOf(opened());
    const { tenantId } = opened();
    const registeredAtMs = Date.UTC(2026, 0, 10);
    const users = ["active", "dormant", "never"].map((name) => ({
      ...created(name),
      registeredAtMs: name === "active" ? registeredAtMs : registeredAtMs - DAY_MS,
    }));
    await apply({
      userChanges: [...users, created("gone"), { ...created("gone", 1), deletes: true }],
      identities: [...users, created("gone")].map(({ subjectId }) => identity(subjectId)),
    });
    await apply({
      events: [
        event("e1", { subjectId: asId<SubjectId>("active") }),
        event("e2", { subjectId: asId<SubjectId>("dormant"), occurredAtMs: NOW_MS - 9 * DAY_MS }),
      ],
    });
    const audienceOf = async (changes: Partial<PushConditions>) => {
      const rows: AudienceUser[] = [];
      const conditions = { ...NO_CONDITIONS, ...changes };
      for await (const block of store.audience(tenantId, conditions, NOW_MS)) rows.push(...block);
      return rows.map((row) => [
        row.subjectId,
        row.userId,
        [row.neverActive, row.activeTooLongAgo, row.outsideRegisteredRange].map(Number).join(""),
      ]);
    };
    expect(await audienceOf({})).toEqual([
      ["active", "user-active", "000"],
      ["dormant", "user-dormant", "000"],
      ["never", "user-never", "000"],
    ]);
    const from = { lastActiveDays: 7, registeredFromMs: registeredAtMs };
    expect(await audienceOf(from)).toEqual([
      ["active", "user-active", "000"],
      ["dormant", "", "011"],
      ["never", "", "101"],
    ]);
    const until = await audienceOf({ registeredToMs: registeredAtMs });
    expect(until.map(([, , flags]) => flags)).toEqual(["001", "000", "000"]);
  });

  it("leaves a user without any registration time outside every range", async () => {
    const { store, created, identity, apply } = rowsOf(opened());
    const { tenantId } = opened();
    await apply({ userChanges: [created("s1")], identities: [identity("s1")] });
    for (const range of [{ registeredFromMs: 0 }, { registeredToMs: NOW_MS * 2 }]) {
      const conditions = { ...NO_CONDITIONS, ...range };
      for await (const block of store.audience(tenantId, conditions, NOW_MS)) {
        expect(block).toMatchObject([{ outsideRegisteredRange: true, neverActive: false }]);
      }
    }
  });

  it("keeps the first end of a push job, and counts what it sent once", async () => {
    const { store, select, tenantId } = opened();
    const job = {
      tenantId,
      jobId: "job-1",
      scenario: "daily",
      status: "completed",
      errorCode: "",
      targetUsers: 2,
      usersFailed: 0,
      candidates: 2,
      creditsTenths: 10,
      endedAtMs: NOW_MS,
      offset: 5,
    } as const;
    const sent = { tenantId, jobId: "job-1", scenario: "daily", users: 2, sentAtMs: NOW_MS };
    const pushSent = [{ ...sent, contentId: asId<ContentId>("c1") }];
    const late = { ...job, status: "failed", errorCode: "cancelled", offset: 6 } as const;
    for (const pushJobs of [[job, late], [job]]) {
      await store.apply("push-jobs", { ...NO_ROWS, pushJobs, pushSent }, NO_POSITIONS);
    }
    const rows = await select(
      `SELECT status, users FROM {db}.push_sent AS sent FINAL
       JOIN {db}.push_jobs AS jobs FINAL USING (tenant_id, job_id) WHERE tenant_id = '${tenantId}'`,
    );
    expect(rows).toEqual([{ status: "completed", users: 2 }]);
  });
}
