import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { BODY_BYTES_MAX } from "@feed/domain/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEdgeServer } from "./server-edge.ts";
import { CONNECTION_LIMITS } from "./settings.ts";
import { call, exchange } from "./testing/client.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

/** Status, headers and problem of a raw answer. */
function read(raw: string) {
  const [head = "", body = ""] = raw.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const [name = "", ...rest] = line.split(": ");
      return [name.toLowerCase(), rest.join(": ")];
    }),
  );
  return {
    status: Number(statusLine.split(" ")[1]),
    headers,
    problem: JSON.parse(body) as unknown,
  };
}

function expectEdgeProblem(raw: string, status: number, instance: string) {
  const { headers, problem, ...answer } = read(raw);
  expect(answer.status).toBe(status);
  expect(problem).toMatchObject({
    type: `${installation.baseUrl}/probs/bad-request`,
    title: "Bad Request",
    status,
    instance,
    detail: expect.any(String),
  });
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(headers.get("x-request-id")).toMatch(/^[0-9A-Z]{26}$/);
  expect(headers.get("x-ratelimit-limit")).toBe("20");
  expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(20);
  expect(headers.get("x-ratelimit-reset")).toMatch(/^\d+$/);
  expect(headers.get("connection")).toBe("close");
}

describe("spec 4.1 rule 5 and fault test 26: requests that are no HTTP", () => {
  it("answers a raw non-ASCII query with 400 Bad Request as a problem document", async () => {
    const raw = await exchange(
      installation.port,
      Buffer.from("GET /v1/feed?area_names=渋谷 HTTP/1.1\r\nHost: a\r\n\r\n"),
    );
    expectEdgeProblem(raw, 400, "/v1/feed");
    expect(raw).toContain("percent-encode");
  });

  it("answers Content-Length beside Transfer-Encoding with 400", async () => {
    const raw = await exchange(
      installation.port,
      "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n" +
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    );
    expectEdgeProblem(raw, 400, "/v1/events");
    expect(raw.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it("answers headers over 16 KiB with 431", async () => {
    const raw = await exchange(
      installation.port,
      `GET /v1/feed HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`,
    );
    const { status, problem } = read(raw);
    expect(status).toBe(431);
    expect(problem).toMatchObject({ status: 431, title: "Bad Request" });
  });

  it("answers nonsense with 400, and a missing Host too", async () => {
    expectEdgeProblem(await exchange(installation.port, "HELLO\r\n\r\n"), 400, "/");
    const raw = await exchange(
      installation.port,
      "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
    );
    expect(raw.startsWith("HTTP/1.1 400 ")).toBe(true);
    expect(raw).toContain("The Host header is missing.");
    const ofApi = await exchange(
      installation.port,
      "GET /v1/feed HTTP/1.1\r\nConnection: close\r\n\r\n",
    );
    for (const line of ["HTTP/1.1 400 ", "X-RateLimit-Limit: 20", "Cache-Control: no-store"])
      expect(ofApi).toContain(line);
  });

  it("answers a request that never ends with 408 soon after the limit", async () => {
    const server = createEdgeServer({
      onRequest: (_, response) => response.end(),
      answer: (problem) => ({ status: problem.status, headers: {}, body: problem.message }),
      limits: {
        ...CONNECTION_LIMITS,
        headersTimeout: 300,
        requestTimeout: 400,
        connectionsCheckingInterval: 100,
      },
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Tenths of a second in which this process ran: one for each time that it stood still.
    let tenths = 0;
    const ticking = setInterval(() => (tenths += 1), 100);
    const raw = await exchange((server.address() as AddressInfo).port, "GET / HTTP/1.1\r\nHost: ");
    expect(raw.startsWith("HTTP/1.1 408 ")).toBe(true);
    clearInterval(ticking);
    expect(tenths * 100).toBeLessThan(CONNECTION_LIMITS.headersTimeout);
    server.close();
  });

  it("checks connections often enough for its limits to mean anything", () => {
    expect(CONNECTION_LIMITS.connectionsCheckingInterval).toBe(1_000);
  });

  it("takes odd bytes in headers for what they are: no key, no request id", async () => {
    const raw = await exchange(
      installation.port,
      Buffer.concat([
        Buffer.from("GET /v1/usage HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: "),
        Buffer.from([0xe9, 0xff]),
        Buffer.from("\r\nAuthorization: Bearer "),
        Buffer.from([0xe9]),
        Buffer.from("\r\n\r\n"),
      ]),
    );
    const { status, headers } = read(raw);
    expect(status).toBe(401);
    expect(headers.get("x-request-id")).toMatch(/^[0-9A-Z]{26}$/);
  });
});

describe("fault test 23: bodies", () => {
  const padded = (bytes: number) => {
    const text = JSON.stringify({ events: [{ type: "click" }], padding: "" });
    return text.replace('"padding":""', `"padding":"${"x".repeat(bytes - text.length)}"`);
  };
  const post = (rawBody: BodyInit, headers: Record<string, string> = {}) =>
    call(installation, "POST", "/v1/events", { rawBody, headers });
  const chunked = (text: string) =>
    new ReadableStream({
      start(controller) {
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length; at += 65_536)
          controller.enqueue(bytes.subarray(at, at + 65_536));
        controller.close();
      },
    });

  it("takes a body of the limit and refuses one byte more with 413, closing the connection", async () => {
    expect((await post(padded(BODY_BYTES_MAX))).status).toBe(202);
    const answer = await post(padded(BODY_BYTES_MAX + 1));
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ title: "Payload Too Large", instance: "/v1/events" });
  });

  it("counts a chunked body while it comes", async () => {
    expect((await post(chunked(padded(BODY_BYTES_MAX)))).status).toBe(202);
    const answer = await post(chunked(padded(BODY_BYTES_MAX + 1)));
    expect(answer.status).toBe(413);
  });

  it("answers a body without end instead of reading for ever", async () => {
    const answer = await new Promise<{ status: number | undefined; connection: unknown }>(
      (resolve) => {
        const outgoing = httpRequest(
          {
            port: installation.port,
            host: "127.0.0.1",
            method: "POST",
            path: "/v1/events",
            headers: {
              authorization: `Bearer ${installation.keys.one}`,
              "content-type": "application/json",
            },
          },
          (response) => {
            resolve({ status: response.statusCode, connection: response.headers.connection });
            response.destroy();
          },
        );
        const chunk = Buffer.alloc(65_536, 0x20);
        const write = () => {
          while (!outgoing.destroyed && outgoing.write(chunk));
        };
        outgoing.on("drain", write);
        outgoing.on("error", () => undefined);
        write();
      },
    );
    expect(answer).toEqual({ status: 413, connection: "close" });
  });

  it("lets a caller without a key finish sending and read the 401", async () => {
    const rawBody = padded(BODY_BYTES_MAX);
    const answer = await call(installation, "POST", "/v1/events", { key: null, rawBody });
    expect([answer.status, answer.headers.get("connection")]).toEqual([401, "keep-alive"]);
  });

  it("takes gzip, and counts the inflated bytes", async () => {
    const gzip = { "Content-Encoding": "gzip" };
    expect((await post(gzipSync(padded(BODY_BYTES_MAX)), gzip)).status).toBe(202);
    expect((await post(gzipSync(Buffer.alloc(200_000_000)), gzip)).status).toBe(413);
    expect((await post("no gzip", gzip)).json).toMatchObject({ title: "Bad Request" });
    expect((await post(gzipSync(padded(1_000)).subarray(0, 40), gzip)).status).toBe(400);
  });

  it.each([
    ["text/plain", {}],
    ["application/json; charset=shift_jis", {}],
    ["", {}],
    ["application/json", { "Content-Encoding": "br" }],
    ["application/jsonp", {}],
  ])("is 415 for the media type %j with %j", async (type, headers) => {
    const answer = await post(Buffer.from("{}"), { "Content-Type": type, ...headers });
    expect(answer.status).toBe(415);
    expect(answer.json).toMatchObject({ title: "Unsupported Media Type" });
  });

  it.each(["application/json; charset=UTF-8", 'Application/JSON;charset="utf-8"'])(
    "takes %s",
    async (type) => {
      const answer = await post(Buffer.from('{"events":[{"type":"click"}]}'), {
        "Content-Type": type,
      });
      expect(answer.status).toBe(202);
    },
  );

  it.each([
    ["no JSON", "{", "Bad Request"],
    ["nothing", "", "Bad Request"],
    ["a byte order mark", "\ufeff{}", "Bad Request"],
    ["bytes that are no UTF-8", Buffer.from([0x22, 0xff, 0x22]), "Bad Request"],
    ["duplicate names", '{"events":[],"events":[]}', "Validation Error"],
    ["__proto__", '{"__proto__":{"x":1}}', "Validation Error"],
    [
      "a lone surrogate",
      '{"events":[{"type":"click","session_id":"\\ud800"}]}',
      "Validation Error",
    ],
    ["NUL", '{"events":[{"type":"click","session_id":"a\\u0000"}]}', "Validation Error"],
    ["1e400", '{"events":[{"type":"click","metadata":{"n":1e400}}]}', "Validation Error"],
    ["depth 33", `{"x":${"[".repeat(32)}${"]".repeat(32)}}`, "Validation Error"],
    ["depth 1,000,000", `${"[".repeat(1e6)}${"]".repeat(1e6)}`, "Validation Error"],
  ])("is 400 for %s (fault test 24)", async (_, text, title) => {
    const answer = await post(text);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ title });
    expect(({} as Readonly<Record<string, unknown>>)["x"]).toBeUndefined();
  });

  it("keeps the memory flat for a body of a million faults", async () => {
    const many = `{"properties":{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":1`).join(",")}}}`;
    const answer = await call(installation, "PUT", "/v1/users/u", { rawBody: many });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(20_000);
  });
});
