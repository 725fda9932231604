import { asId } from "@feed/domain/ids";
import type { TenantId, UserId } from "@feed/domain/ids";
import { USER_PARTITIONS } from "@feed/domain/limits";
import type { PersonalData } from "@feed/personal-data";
import { userPartition } from "@feed/signing";
import { waitFor } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { User } from "./openapi.generated.ts";
import { call } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const put = (userId: string, properties: unknown) =>
  call(installation, "PUT", `/v1/users/${userId}`, { body: { properties } });
const get = (userId: string) => call(installation, "GET", `/v1/users/${userId}`);
const userOf = (answer: { readonly json: unknown }) =>
  (answer.json as { readonly data: User }).data;

describe("spec 4.3: DELETE /v1/users/{user_id}", () => {
  it("answers 204, after which the user is gone; also when there is nothing to delete", async () => {
    await put("deleted", { language: "ja" });
    const answer = await call(installation, "DELETE", "/v1/users/deleted");
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect((await get("deleted")).status).toBe(404);
    expect((await call(installation, "DELETE", "/v1/users/deleted")).status).toBe(204);
    expect((await call(installation, "DELETE", "/v1/users/never-there")).status).toBe(204);
  });

  it("makes the user's past facts unreadable", async () => {
    await put("forgotten", { language: "ja" });
    const { eventLog, keyring } = installation.deps;
    const personalData = installation.deps.personalData as PersonalData;
    const tenantId = asId<TenantId>("one");
    const userRef = keyring.pseudonyms.userRef(tenantId, asId<UserId>("forgotten"));
    const personalOf = async () => {
      const batch = await eventLog.read("users", userPartition(userRef, USER_PARTITIONS), 0, 1_000);
      const opened = await personalData.openUserFacts(batch);
      const subject = keyring.pseudonyms.subjectOfUser(tenantId, asId<UserId>("forgotten"), 0);
      return opened.flatMap((record) =>
        "fact" in record && record.fact.subjectId === subject && "personal" in record.fact
          ? [record.fact.personal]
          : [],
      );
    };
    expect(await personalOf()).toEqual([{ userId: "forgotten", properties: { language: "ja" } }]);
    await call(installation, "DELETE", "/v1/users/forgotten");
    expect(await personalOf()).toEqual([null]);
  });

  it("is finished without being repeated when it was interrupted after its fact", async () => {
    await put("interrupted", { language: "ja" });
    const { codec, eventLog, keyring, clock } = installation.deps;
    const personalData = installation.deps.personalData as PersonalData;
    const [tenantId, userId] = [asId<TenantId>("one"), asId<UserId>("interrupted")];
    const userRef = keyring.pseudonyms.userRef(tenantId, userId);
    const subjectId = keyring.pseudonyms.subjectOfUser(tenantId, userId, 0);
    const partition = userPartition(userRef, USER_PARTITIONS);
    const receivedAtMs = clock.nowMs();
    const subject = { tenantId, subjectId, userRef, generation: 0 };
    const value = codec.encode({ type: "user.deleted", ...subject, receivedAtMs });
    const record = { partition, key: subjectId, value, timestampMs: receivedAtMs };
    await eventLog.append([{ topic: "users", ...record }]);
    await waitFor(async () => (await get("interrupted")).status === 404);
    const opened = await personalData.openUserFacts(
      await eventLog.read("users", partition, 0, 1_000),
    );
    const personal = opened.flatMap((each) =>
      "fact" in each && each.fact.subjectId === subjectId && "personal" in each.fact
        ? [each.fact.personal]
        : [],
    );
    expect(personal).toEqual([null]);
  });

  it("lets a user of the same id begin anew", async () => {
    await put("reborn", { language: "ja" });
    await call(installation, "PUT", "/v1/users/reborn/sources/source-1/block");
    await call(installation, "DELETE", "/v1/users/reborn");
    const answer = await put("reborn", { interests: ["x"] });
    expect(answer.status).toBe(201);
    expect(userOf(answer)).toMatchObject({ properties: { interests: ["x"] }, blocked_sources: [] });
  });

  it("keeps the answers right when deletions and replacements race", async () => {
    // A PUT tries three generations (GENERATIONS_TRIED_MAX): two deletions can't be before it each time.
    const calls = Array.from({ length: 12 }, (_, index) =>
      index % 6 === 0
        ? call(installation, "DELETE", "/v1/users/contended")
        : put("contended", { language: "ja" }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(2);
    expect(statuses.every((status) => [200, 201, 204].includes(status))).toBe(true);
  });
});
