import { asId, type ContentId, type SubjectId, type TenantId, type UserId } from "@feed/domain/ids";
import { NO_ROWS, type ActivityRows, type EventRow } from "@feed/projections/activity-rows";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { experimentRules } from "./conformance/experiments.ts";
import { pushRules } from "./conformance/push.ts";
import { ActivityRowRefused, type ActivityStore } from "./port.ts";

const DAY_MS = 24 * 3_600_000;
const NOW_MS = Date.UTC(2026, 4, 20, 12);
const NO_POSITIONS = new Map<number, number>();

export interface OpenedForConformance {
  readonly store: ActivityStore;
  /** Rows of a statement over the store's tables, for what the port does not tell. `{db}` is the database. */
  readonly select: (sql: string) => Promise<readonly Record<string, unknown>[]>;
  readonly close: () => Promise<void>;
}

/**
 * What every ActivityStore adapter must do. Method: one store for the suite, a tenant of its own for each test, so
 * that tenants are kept apart by the suite itself.
 */
export function describeActivityStore(
  adapterName: string,
  open: () => Promise<OpenedForConformance>,
): void {
  describe(`ActivityStore: ${adapterName}`, () => {
    let opened: OpenedForConformance;
    let store: ActivityStore;
    let tenantId: TenantId;
    let tenants = 0;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      tenants += 1;
      tenantId = asId<TenantId>(`tenant-${tenants}`);
    });

    const event = (eventId: string, changes: Partial<EventRow> = {}): EventRow => ({
      tenantId,
      subjectId: asId<SubjectId>("s1"),
      ofUser: true,
      eventId,
      kind: "click",
      contentId: asId<ContentId>("c1"),
      occurredAtMs: NOW_MS,
      receivedAtMs: NOW_MS,
      offset: 0,
      ...changes,
    });
    const applyEvents = (...events: EventRow[]) =>
      store.apply("users", { ...NO_ROWS, events }, NO_POSITIONS);
    const applyRows = (rows: Partial<ActivityRows>) =>
      store.apply("users", { ...NO_ROWS, ...rows }, NO_POSITIONS);
    const identity = (subject: string) => ({
      tenantId,
      subjectId: asId<SubjectId>(subject),
      userId: asId<UserId>(`user-${subject}`),
    });
    const created = (subject: string, offset = 0) => ({
      tenantId,
      subjectId: asId<SubjectId>(subject),
      offset,
      changedAtMs: NOW_MS,
      creates: true,
      deletes: false,
    });

    it("counts clicks, likes and shares as clicks, and impressions apart", async () => {
      await applyEvents(
        event("e1"),
        event("e2", { kind: "like" }),
        event("e3", { kind: "share" }),
        event("e4", { kind: "impression" }),
        event("e5", { kind: "dislike" }),
        event("e6", { contentId: asId<ContentId>("c2"), kind: "impression" }),
      );
      expect(await store.engagement(tenantId, NOW_MS - DAY_MS)).toEqual([
        { contentId: "c1", impressions: 1, clicks: 3 },
        { contentId: "c2", impressions: 1, clicks: 0 },
      ]);
    });

    it("changes no answer when a batch is applied twice or an event was sent twice", async () => {
      const rows = [event("e1"), event("e2", { kind: "impression" })];
      await applyEvents(...rows);
      await applyEvents(...rows);
      await applyEvents(event("e1", { offset: 7, receivedAtMs: NOW_MS + 60_000 }));
      const [only] = await store.engagement(tenantId, NOW_MS - DAY_MS);
      expect(only).toMatchObject({ impressions: 1, clicks: 1 });
    });

    it("keeps no second row of a batch that comes again", async () => {
      const rows = [event("e1"), event("e2", { kind: "impression" })];
      await applyEvents(...rows);
      await applyEvents(...rows);
      const rowsOf = (table: string) =>
        opened.select(`SELECT count() AS n FROM {db}.${table} WHERE tenant_id = '${tenantId}'`);
      expect(await rowsOf("events")).toEqual([{ n: "2" }]);
      expect(await rowsOf("content_engagement")).toEqual([{ n: "1" }]);
    });

    it("leaves out engagement of before the window, and of other tenants", async () => {
      await applyEvents(event("old", { receivedAtMs: NOW_MS - 10 * DAY_MS }));
      await applyEvents(event("other", { tenantId: asId<TenantId>(`${tenantId}-other`) }));
      expect(await store.engagement(tenantId, NOW_MS - DAY_MS)).toEqual([]);
      expect(await store.engagement(tenantId, NOW_MS - 11 * DAY_MS)).toHaveLength(1);
    });

    it("lists users in pages, by subject, each once", async () => {
      await applyRows({ userChanges: ["b", "a", "c"].map((subject) => created(subject)) });
      await applyEvents(
        event("e1", { subjectId: asId<SubjectId>("d") }),
        event("e2", { subjectId: asId<SubjectId>("a") }),
      );
      const first = await store.listUsers(tenantId, null, 3);
      expect(first.subjectIds).toEqual(["a", "b", "c"]);
      const second = await store.listUsers(tenantId, asId<SubjectId>("c"), 3);
      expect(second.subjectIds).toEqual(["d"]);
    });

    it("lists no session without a user, no user that only a PATCH named, and no deleted one", async () => {
      await applyEvents(event("e1", { ofUser: false, subjectId: asId<SubjectId>("session") }));
      await applyRows({ userChanges: [{ ...created("patched"), creates: false }] });
      await applyRows({
        userChanges: [created("gone"), { ...created("gone", 1), creates: false, deletes: true }],
      });
      await applyEvents(event("late", { subjectId: asId<SubjectId>("gone"), offset: 2 }));
      expect((await store.listUsers(tenantId, null, 10)).subjectIds).toEqual([]);
    });

    it("tells who a subject is until it is forgotten, and keeps the counts (architecture rule 7)", async () => {
      await applyEvents(event("e1"));
      await applyRows({ identities: [identity("s1"), identity("s2")] });
      await applyRows({ forgotten: [identity("s1")] });
      const names = await opened.select(
        `SELECT user_id FROM {db}.identities WHERE tenant_id = '${tenantId}'`,
      );
      expect(names).toEqual([{ user_id: "user-s2" }]);
      expect(await store.engagement(tenantId, NOW_MS - DAY_MS)).toHaveLength(1);
    });

    it("says registered_at as set, else the first event by order in the log, else nothing (decisions)", async () => {
      const registeredAtMs = Date.UTC(2025, 0, 2);
      await applyRows({
        userChanges: [
          { ...created("set"), registeredAtMs },
          { ...created("cleared"), registeredAtMs },
          { ...created("cleared", 1), registeredAtMs: null },
          created("silent"),
        ],
      });
      await applyEvents(
        event("e2", { subjectId: asId<SubjectId>("cleared"), offset: 2, occurredAtMs: NOW_MS }),
        event("e3", {
          subjectId: asId<SubjectId>("cleared"),
          offset: 3,
          occurredAtMs: NOW_MS - DAY_MS,
        }),
      );
      const rows = await opened.select(
        `SELECT subject_id, toUnixTimestamp64Milli(registered_at) AS at FROM {db}.users
         WHERE tenant_id = '${tenantId}' ORDER BY subject_id`,
      );
      expect(rows).toEqual([
        { subject_id: "cleared", at: String(NOW_MS) },
        { subject_id: "set", at: String(registeredAtMs) },
        { subject_id: "silent", at: null },
      ]);
    });

    it("never takes an event from the future for later activity than its receipt", async () => {
      await applyEvents(event("e1", { occurredAtMs: NOW_MS + DAY_MS }));
      const rows = await opened.select(
        `SELECT toUnixTimestamp64Milli(last_active_at) AS at FROM {db}.users WHERE tenant_id = '${tenantId}'`,
      );
      expect(rows).toEqual([{ at: String(NOW_MS) }]);
    });

    it("sums credits by day in Japan and endpoint, each request once", async () => {
      const delivery = {
        tenantId,
        requestId: "r1",
        endpoint: "feed",
        scenario: "home",
        contentIds: [asId<ContentId>("c1")],
        positions: [0],
        scores: [0.5],
        creditsTenths: 10,
        servedAtMs: Date.UTC(2026, 3, 30, 15),
      } as const;
      const content = { ...delivery, endpoint: "content", creditsTenths: 1, scores: [] } as const;
      const deliveries = [
        delivery,
        delivery,
        { ...delivery, requestId: "r2" },
        { ...content, requestId: "r3" },
      ];
      const before = { ...delivery, requestId: "r4", servedAtMs: Date.UTC(2026, 3, 30, 14, 59) };
      await store.apply(
        "deliveries",
        { ...NO_ROWS, deliveries: [...deliveries, before] },
        NO_POSITIONS,
      );
      await store.apply("deliveries", { ...NO_ROWS, deliveries }, NO_POSITIONS);
      expect(await store.usageByDay(tenantId, "2026-05")).toEqual([
        { day: "2026-05-01", endpoint: "content", requests: 1, creditsTenths: 1 },
        { day: "2026-05-01", endpoint: "feed", requests: 2, creditsTenths: 20 },
      ]);
    });

    pushRules(() => ({ ...opened, tenantId }));
    experimentRules(() => ({ ...opened, tenantId }));

    it("resumes where it was last told, by topic and partition", async () => {
      await store.apply(
        "credits",
        NO_ROWS,
        new Map([
          [3, 17],
          [4, 2],
        ]),
      );
      await store.apply("credits", NO_ROWS, new Map([[3, 18]]));
      expect(await store.positions("credits")).toEqual(
        new Map([
          [3, 18],
          [4, 2],
        ]),
      );
      expect(await store.positions("contents")).toEqual(new Map());
    });

    it("takes times of every year, the nearest it can hold for those beyond", async () => {
      const years = { before: -62_135_596_800_000, old: -86_400_500, far: 253_402_300_799_000 };
      await applyRows({
        userChanges: Object.entries(years).map(([subject, registeredAtMs]) => {
          return { ...created(subject), registeredAtMs };
        }),
      });
      const rows = await opened.select(
        `SELECT subject_id, toUnixTimestamp64Milli(registered_at) AS at FROM {db}.users
         WHERE tenant_id = '${tenantId}' ORDER BY subject_id`,
      );
      expect(rows).toEqual([
        { subject_id: "before", at: String(Date.UTC(1900, 0, 1)) },
        { subject_id: "far", at: String(Date.UTC(2299, 11, 31, 23, 59, 59, 999)) },
        { subject_id: "old", at: String(years.old) },
      ]);
    });

    it("refuses a value that no column can hold, and takes the same batch without it", async () => {
      const charged = {
        tenantId,
        requestId: "r1",
        endpoint: "feed",
        contentIds: [],
        positions: [],
        scores: [],
        creditsTenths: 10,
        servedAtMs: NOW_MS,
      } as const;
      const odd = { ...charged, requestId: "r2", creditsTenths: 1.5 };
      const both = store.apply(
        "deliveries",
        { ...NO_ROWS, deliveries: [charged, odd] },
        NO_POSITIONS,
      );
      await expect(both).rejects.toThrow(ActivityRowRefused);
      await store.apply("deliveries", { ...NO_ROWS, deliveries: [charged] }, NO_POSITIONS);
      expect(await store.usageByDay(tenantId, "2026-05")).toHaveLength(1);
    });

    it("takes text of every kind as it is", async () => {
      const title = `'; DROP TABLE contents; -- \\ \n\t"日本語" {tenantId:String} 🎌`;
      const row = {
        contentId: asId<ContentId>(`odd-${tenantId}`),
        sourceId: asId("source"),
        title,
        category: "other",
        language: "ja",
        publishedAtMs: NOW_MS,
        withdrawn: false,
        offset: 1,
      } as const;
      await store.apply("contents", { ...NO_ROWS, contents: [row as never] }, NO_POSITIONS);
      const rows = await opened.select(
        `SELECT title FROM {db}.contents FINAL WHERE content_id = 'odd-${tenantId}'`,
      );
      expect(rows).toEqual([{ title }]);
    });

    it("describes every table and column for data teams", async () => {
      const bare = await opened.select(
        `SELECT table, name FROM system.columns WHERE database = '{db}' AND comment = '' AND table NOT LIKE '%\\_of\\_%'`,
      );
      expect(bare).toEqual([]);
    });
  });
}
