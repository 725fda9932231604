import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operationsOf, readOpenapiDocument } from "./openapi-document.ts";
import type { Operation } from "./openapi-document.ts";
import { call } from "./testing/client.ts";
import type { Answer } from "./testing/client.ts";
import { ADMIN_TOKEN, openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

/**
 * Goal: no operation of the document can be added without these rules. Method: the operations are read
 * from it; `call` checks every answer against the document.
 */
const operations = operationsOf(readOpenapiDocument());
const guarded = operations.filter(({ needs }) => needs !== "nothing");
const titled = (list: readonly Operation[]) =>
  list.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

/** A path with every parameter filled in. */
function pathOf({ path, parameters }: Operation, userId: string): string {
  const values: Readonly<Record<string, string>> = {
    user_id: userId,
    source_id: "source-1",
    content_id: "c-unknown",
    tenant_id: "one",
    job_id: "job-unknown",
    delivery_id: "msg_unknown",
    key_id: "key-unknown",
    person_id: "person-unknown",
    letter_id: "0",
    experiment_id: "exp_unknown",
    version: "1",
    name: "main",
    slug: "validation",
  };
  const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? "");
  const required = parameters.filter((one) => one.in === "query" && one.required === true);
  return required.length === 0 ? filled : `${filled}?${required[0]?.name}=a`;
}

function bodyOf({ operationId, bodyPointer }: Operation): unknown {
  const bodies: Readonly<Record<string, unknown>> = {
    postEvents: { events: [{ type: "click", user_id: "matrix" }] },
    putUser: { properties: {} },
    patchUser: { properties: {} },
    postPushCandidates: { scenario: "daily" },
  };
  return bodyPointer === undefined ? undefined : (bodies[operationId] ?? {});
}

/** Each test comes from an address of its own: twenty a second are allowed. */
let addresses = 0;
function freshAddress() {
  addresses += 1;
  return { "X-Forwarded-For": `198.18.${addresses >> 8}.${addresses & 255}` };
}

describe("spec 5: every operation that needs a key", () => {
  it.each(titled(guarded))("%s is 401 without one", async (_, operation) => {
    const answer = await call(installation, operation.method, pathOf(operation, "u"), {
      key: null,
      body: bodyOf(operation),
      headers: freshAddress(),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  it.each(titled(guarded))("%s is 401 with the other kind of key", async (_, operation) => {
    const key = operation.needs === "adminToken" ? installation.keys.one : ADMIN_TOKEN;
    const answer = await call(installation, operation.method, pathOf(operation, "u"), {
      key,
      body: bodyOf(operation),
      headers: freshAddress(),
    });
    expect(answer.status).toBe(401);
  });
});

describe("every operation", () => {
  const methods = ["GET", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"];
  it.each([...new Set(operations.map(({ path }) => path))])(
    "%s is 405 with Allow for a method it does not have",
    async (path) => {
      const here = operations.filter((operation) => operation.path === path);
      const taken = here.map(({ method }) => method);
      const [first] = here;
      for (const method of methods.filter((one) => !taken.includes(one))) {
        const key = first!.needs === "adminToken" ? ADMIN_TOKEN : installation.keys.one;
        const headers = freshAddress();
        const answer = await call(installation, method, pathOf(first!, "u"), { key, headers });
        expect(answer.status).toBe(405);
        const allowed = answer.headers.get("allow")?.split(", ");
        const isApi = /^\/(?:v1|admin)\//.test(path);
        expect(isApi ? allowed : allowed?.filter((one) => one !== "HEAD")).toEqual(
          taken.toSorted(),
        );
        expect(answer.json).toMatchObject({ title: "Method Not Allowed", status: 405 });
      }
    },
  );

  it("of the API takes no HEAD, which would be charged: 405, and pages take it", async () => {
    const headers = { authorization: `Bearer ${installation.keys.one}` };
    const head = (path: string) =>
      fetch(`${installation.baseUrl}${path}`, { method: "HEAD", headers });
    for (const path of ["/v1/feed", "/v1/contents/a", "/v1/sources"]) {
      const answer = await head(path);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
    }
    expect((await head("/v1/nowhere")).status).toBe(404);
    expect((await head("/healthz")).status).toBe(200);
  });

  it.each(titled(operations))("%s answers as the document says", async (_, operation) => {
    const answer = await call(installation, operation.method, pathOf(operation, "matrix"), {
      key: operation.needs === "adminToken" ? ADMIN_TOKEN : installation.keys.one,
      body: bodyOf(operation),
    });
    expect(answer.status).not.toBe(500);
  });

  it.each(titled(operations.filter(({ bodyPointer }) => bodyPointer !== undefined)))(
    "%s refuses what is no object, with a problem document",
    async (_, operation) => {
      const key = operation.needs === "adminToken" ? ADMIN_TOKEN : installation.keys.one;
      for (const body of [null, [], 1, "text", true, { unknown_field: 1 }]) {
        const path = pathOf(operation, "matrix");
        const answer = await call(installation, operation.method, path, { key, body });
        expect(answer.status).toBe(400);
        expect(answer.text).not.toContain("the first:  ");
      }
    },
  );
});

describe("fault test 15: another tenant's user is as unknown as nobody", () => {
  const withoutInstance = (answer: Answer, userId: string) => [
    answer.status,
    answer.text.replaceAll(userId, "ID"),
  ];
  const ofUsers = guarded.filter(
    ({ path, responses, needs }) =>
      needs === "apiKey" && path.includes("{user_id}") && "404" in responses,
  );
  it.each(titled(ofUsers))("%s", async (_, operation) => {
    await call(installation, "PUT", "/v1/users/of-tenant-one", { body: { properties: {} } });
    const asTwo = (userId: string) =>
      call(installation, operation.method, pathOf(operation, userId), {
        key: installation.keys.two,
        body: bodyOf(operation),
      });
    const foreign = await asTwo("of-tenant-one");
    expect(foreign.status).toBe(404);
    expect(withoutInstance(foreign, "of-tenant-one")).toEqual(
      withoutInstance(await asTwo("of-tenant-ONE"), "of-tenant-ONE"),
    );
  });

  it("DELETE by another tenant leaves the user alone", async () => {
    await call(installation, "PUT", "/v1/users/kept", { body: { properties: {} } });
    const key = installation.keys.two;
    expect((await call(installation, "DELETE", "/v1/users/kept", { key })).status).toBe(204);
    expect((await call(installation, "GET", "/v1/users/kept")).status).toBe(200);
  });
});
