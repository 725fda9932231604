import { openClickHouseActivityStore } from "@feed/activity-store/clickhouse";
import { startEmbeddedClickHouse } from "@feed/activity-store/embedded";
import type { ActivityStore } from "@feed/activity-store";
import { NO_ROWS } from "@feed/projections/activity-rows";
import { asId } from "@feed/domain/ids";
import type { TenantId, UserId } from "@feed/domain/ids";
import { temporaryDirectory } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UserListAnswer } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

const USER_IDS = Array.from({ length: 7 }, (_, index) => `listed-${index}`);

const stack = new AsyncDisposableStack();
let store: ActivityStore;
let installation: Installation;
beforeAll(async () => {
  const { path: directory } = stack.use(await temporaryDirectory());
  const engine = stack.use(await startEmbeddedClickHouse({ directory, onExit: () => undefined }));
  store = stack.use(await openClickHouseActivityStore(engine.endpoint));
  const listUsers: ActivityStore["listUsers"] = (...asked) => store.listUsers(...asked);
  installation = stack.use(await openInstallation({ activityStore: { listUsers } }));
  for (const userId of USER_IDS) await create(userId, installation.keys.one, "one");
  await create("of-two", installation.keys.two, "two");
});
afterAll(() => stack.disposeAsync());

/** Creates a user, and the row that the projector makes of it for the list. */
async function create(userId: string, key: string, tenant: string): Promise<void> {
  const body = { properties: { interests: [userId] } };
  await call(installation, "PUT", `/v1/users/${userId}`, { key, body });
  const tenantId = asId<TenantId>(tenant);
  const { pseudonyms } = installation.deps.keyring;
  const subjectId = pseudonyms.subjectOfUser(tenantId, asId<UserId>(userId), 0);
  const row = { tenantId, subjectId, offset: 0, changedAtMs: Date.now() };
  const userChanges = [{ ...row, creates: true, deletes: false }];
  await store.apply("users", { ...NO_ROWS, userChanges }, new Map());
}

const list = async (query: string, key = installation.keys.one) =>
  (await call(installation, "GET", `/v1/users${query}`, { key })).json as UserListAnswer;

describe("spec 4.3: GET /v1/users", () => {
  it("lists all users of the tenant, and nobody else's", async () => {
    const { data, meta } = await list("");
    expect(data.map(({ user_id }) => user_id).toSorted()).toEqual(USER_IDS);
    expect(data[0]?.properties.interests).toEqual([data[0]?.user_id]);
    expect(meta.next_cursor).toBeNull();
    const { data: ofTwo } = await list("", installation.keys.two);
    expect(ofTwo.map(({ user_id }) => user_id)).toEqual(["of-two"]);
  });

  it("pages without repeating or losing a user", async () => {
    const seen: string[] = [];
    let query = "?limit=3";
    for (let page = 0; page < 4; page += 1) {
      const { data, meta } = await list(query);
      seen.push(...data.map(({ user_id }) => user_id));
      if (meta.next_cursor === null) break;
      query = `?limit=3&cursor=${meta.next_cursor}`;
    }
    expect(seen.toSorted()).toEqual(USER_IDS);
  });

  it("takes no other tenant's cursor", async () => {
    const { meta } = await list("?limit=1");
    const answer = await call(installation, "GET", `/v1/users?cursor=${meta.next_cursor}`, {
      key: installation.keys.two,
    });
    expect([answer.status, answer.json]).toMatchObject([400, { title: "Invalid Cursor" }]);
  });

  it.each(["0", "1001", "x"])("refuses limit=%s", async (limit) => {
    expect((await call(installation, "GET", `/v1/users?limit=${limit}`)).status).toBe(400);
  });

  it("leaves out a user deleted since the list was made", async () => {
    await call(installation, "DELETE", "/v1/users/listed-0");
    const { data } = await list("");
    expect(data.map(({ user_id }) => user_id).toSorted()).toEqual(USER_IDS.slice(1));
  });
});
