import { asId, type ContentId, type SubjectId, type TenantId } from "@feed/domain/ids";
import type { ExperimentArm } from "@feed/domain/experiment";
import { NO_ROWS, type DeliveryRow, type EventRow } from "@feed/projections/activity-rows";
import { expect, it } from "vitest";
import type { OpenedForConformance } from "../conformance.ts";

const NOW_MS = Date.UTC(2026, 4, 20, 12);
const HOUR_MS = 3_600_000;
const NO_POSITIONS = new Map<number, number>();
const NOTHING = { users: 0, feeds: 0, items: 0, impressions: 0, clicks: 0, usersClicked: 0 };

type Subject = Pick<OpenedForConformance, "store"> & { readonly tenantId: TenantId };

/** What an ActivityStore must do for experiments. */
export function experimentRules(opened: () => Subject): void {
  const feed = (
    requestId: string,
    subject: string,
    arm: ExperimentArm | undefined,
    changes: Partial<DeliveryRow> = {},
  ): DeliveryRow => ({
    tenantId: opened().tenantId,
    requestId,
    endpoint: "feed",
    subjectId: asId<SubjectId>(subject),
    scenario: "home",
    ...(arm === undefined ? {} : { experiment: { experimentId: "exp-1", arm } }),
    contentIds: ["c1", "c2"].map((id) => asId<ContentId>(id)),
    positions: [0, 1],
    scores: [0.5, 0.4],
    creditsTenths: 10,
    servedAtMs: NOW_MS,
    ...changes,
  });
  const event = (
    eventId: string,
    deliveryId: string,
    kind: EventRow["kind"],
    changes: Partial<EventRow> = {},
  ): EventRow => ({
    tenantId: opened().tenantId,
    subjectId: asId<SubjectId>("s1"),
    ofUser: true,
    eventId,
    kind,
    contentId: asId<ContentId>("c1"),
    surface: "feed",
    scenario: "home",
    deliveryId,
    position: 0,
    occurredAtMs: NOW_MS + 1,
    receivedAtMs: NOW_MS + 1,
    offset: 0,
    ...changes,
  });
  const apply = async (deliveries: readonly DeliveryRow[], events: readonly EventRow[]) => {
    const { store } = opened();
    await store.apply("deliveries", { ...NO_ROWS, deliveries }, NO_POSITIONS);
    await store.apply("users", { ...NO_ROWS, events }, NO_POSITIONS);
  };
  const arms = (experimentId = "exp-1") =>
    opened().store.experimentArms(opened().tenantId, experimentId, NOW_MS);

  it("counts what the users of each arm were served and what they did with it, however often it comes", async () => {
    const deliveries = [
      feed("r1", "s1", "control"),
      feed("r2", "s1", "control"),
      feed("r3", "s2", "control"),
      feed("r4", "s3", "variant"),
      feed("r5", "s4", undefined),
    ];
    const events = [
      event("e1", "r1", "impression"),
      event("e2", "r1", "click"),
      event("e3", "r2", "click"),
      event("e4", "r4", "impression"),
      event("e5", "r5", "click"),
      event("e6", "r4", "like"),
    ];
    await apply(deliveries, events);
    await apply(deliveries, [...events, event("e2", "r1", "click", { offset: 9 })]);
    expect(await arms()).toEqual({
      control: { users: 2, feeds: 3, items: 6, impressions: 1, clicks: 2, usersClicked: 1 },
      variant: { users: 1, feeds: 1, items: 2, impressions: 1, clicks: 0, usersClicked: 0 },
    });
  });

  it("counts a click in the arm of the delivery it names, whoever the event is said to be from", async () => {
    const anonymous = { subjectId: asId<SubjectId>("session"), ofUser: false };
    await apply([feed("r1", "s1", "variant")], [event("e1", "r1", "click", anonymous)]);
    expect(await arms()).toMatchObject({ variant: { clicks: 1, usersClicked: 1 } });
  });

  it("leaves out what was served before, in another experiment, in both arms, or to another tenant", async () => {
    const other = { experimentId: "exp-2", arm: "control" } as const;
    const deliveries = [
      feed("r1", "s1", "control", { servedAtMs: NOW_MS - HOUR_MS }),
      feed("r2", "s2", "control", { experiment: other }),
      feed("r3", "s3", "control"),
      feed("r4", "s3", "variant"),
      { ...feed("r5", "s5", "control"), tenantId: asId<TenantId>(`${opened().tenantId}-other`) },
    ];
    const push = { surface: "push" } as const;
    await apply(deliveries, [event("e1", "r1", "click"), event("e2", "r3", "click", push)]);
    expect(await arms()).toEqual({ control: NOTHING, variant: NOTHING });
    expect(await arms("exp-2")).toMatchObject({ control: { users: 1 }, variant: NOTHING });
  });
}
