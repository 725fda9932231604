import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveSite } from "@feed/test-kit/http-site";
import type { HttpSite } from "@feed/test-kit/http-site";
import { guardedLookup } from "./guarded-lookup.ts";
import { openSafeFetch } from "./safe-fetch.ts";
import type { FetchOptions, SafeFetch } from "./safe-fetch.ts";

let site: HttpSite;
let inner: HttpSite;
let fetch: SafeFetch;

beforeEach(async () => {
  site = await serveSite();
  inner = await serveSite();
  fetch = openSafeFetch({
    userAgent: "ContentFeedBot/1.0",
    allowedOrigins: [site.origin],
    resolve: (name) =>
      Promise.resolve(name === "rebinding.example" ? [{ address: "127.0.0.1", family: 4 }] : []),
  });
});
afterEach(async () => {
  await fetch[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await inner[Symbol.asyncDispose]();
});

const get = (url: string, options: Partial<FetchOptions> = {}) =>
  fetch.get(url, {
    accept: "*/*",
    bytesMax: 1_000_000,
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    ...options,
  });

describe("a fetch", () => {
  it("gives status, headers and body, and says who asks", async () => {
    let userAgent: string | undefined;
    let cookies: string | undefined;
    site.on("/page", (request, response) => {
      userAgent = request.headers["user-agent"];
      cookies = request.headers.cookie;
      response.setHeader("set-cookie", "id=1");
      response.end("hello");
    });
    await get(`${site.origin}/page`);
    const { status, bytes, url } = await get(`${site.origin}/page#part`);
    expect([status, Buffer.from(bytes).toString(), url]).toEqual([
      200,
      "hello",
      `${site.origin}/page`,
    ]);
    expect([userAgent, cookies]).toEqual(["ContentFeedBot/1.0", undefined]);
  });

  it.each([
    ["gzip", gzipSync("hello")],
    ["x-gzip", gzipSync("hello")],
    ["br", brotliCompressSync("hello")],
    ["deflate", deflateSync("hello")],
    ["deflate", deflateRawSync("hello")],
    ["identity", Buffer.from("hello")],
  ])("inflates %s", async (encoding, body) => {
    site.on("/page", { headers: { "content-encoding": encoding }, body });
    expect(Buffer.from((await get(`${site.origin}/page`)).bytes).toString()).toBe("hello");
  });

  it.each([
    ["an unknown encoding", "compress", Buffer.from("hello")],
    ["two encodings", "gzip, gzip", gzipSync(gzipSync("hello"))],
    ["a broken body", "gzip", Buffer.from("no gzip at all")],
    ["a body cut short", "gzip", gzipSync("hello hello hello").subarray(0, 15)],
  ])("refuses %s", async (_what, encoding, body) => {
    site.on("/page", { headers: { "content-encoding": encoding }, body });
    await expect(get(`${site.origin}/page`)).rejects.toMatchObject({ code: "bad-encoding" });
  });

  it("stops at its own signal, with that signal's reason", async () => {
    site.on("/never", () => undefined);
    const controller = new AbortController();
    const pending = get(`${site.origin}/never`, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
  });
});

describe("a connection that was kept for the next fetch", () => {
  it.each(["end", "destroy", "resetAndDestroy"] as const)(
    "may be closed as that is sent (%s): it goes again on a fresh one",
    async (close) => {
      await using server = createServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
          socket.once("data", () => void socket[close]());
        });
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await using own = openSafeFetch({ userAgent: "x", allowedOrigins: [origin] });
      const { signal } = new AbortController();
      const options = { accept: "*/*", bytesMax: 10, timeoutMs: 30_000, signal };
      for (let fetches = 0; fetches < 6; fetches += 1)
        expect(await own.get(origin, options)).toMatchObject({ status: 200 });
    },
  );
});

describe("a fetch ends at its limit", () => {
  it("when 194 kB of gzip inflate to 200 MB", async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    expect(bomb.length).toBeLessThan(200_000);
    site.on("/bomb", { headers: { "content-encoding": "gzip" }, body: bomb });
    const before = process.memoryUsage().arrayBuffers;
    await expect(get(`${site.origin}/bomb`)).rejects.toMatchObject({ code: "too-large" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  it("when a body has no end", async () => {
    let closed = false;
    site.on("/endless", (_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more).on("close", () => (closed = true));
      more();
    });
    await expect(get(`${site.origin}/endless`)).rejects.toMatchObject({ code: "too-large" });
    await expect.poll(() => closed).toBe(true);
  });

  it("when the length it announces is too large, before reading", async () => {
    site.on("/announced", (_, response) => {
      response.writeHead(200, { "content-length": "2000000" });
      response.flushHeaders();
    });
    await expect(get(`${site.origin}/announced`)).rejects.toMatchObject({ code: "too-large" });
  });

  it("when a body comes one byte at a time", async () => {
    site.on("/slow", (_, response) => {
      const timer = setInterval(() => response.write("x"), 10);
      response.on("close", () => clearInterval(timer));
    });
    const slow = get(`${site.origin}/slow`, { timeoutMs: 200 });
    await expect(slow).rejects.toMatchObject({ code: "timeout" });
  });

  it("when no answer comes", async () => {
    site.on("/silent", () => undefined);
    const silent = get(`${site.origin}/silent`, { timeoutMs: 100 });
    await expect(silent).rejects.toMatchObject({ code: "timeout" });
  });

  it("when the connection is cut", async () => {
    site.on("/cut", (request) => void request.socket.destroy());
    await expect(get(`${site.origin}/cut`)).rejects.toMatchObject({ code: "unreachable" });
  });
});

describe("a post", () => {
  const post = (url: string, options: { timeoutMs?: number; bytesMax?: number } = {}) =>
    fetch.post(url, {
      body: '{"a":1}',
      headers: { "content-type": "application/json" },
      bytesMax: 5,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      ...options,
    });

  it("sends its body and headers, and reads the answer's start", async () => {
    let received: unknown;
    site.on("/hook", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method, headers } = request;
        const { "content-type": type, "user-agent": agent } = headers;
        received = { method, type, agent, body: Buffer.concat(chunks).toString() };
        response.end("hello hello");
      });
    });
    const { status, bytes } = await post(`${site.origin}/hook`);
    expect([status, Buffer.from(bytes).toString()]).toEqual([200, "hello"]);
    expect(received).toEqual({
      method: "POST",
      type: "application/json",
      agent: "ContentFeedBot/1.0",
      body: '{"a":1}',
    });
  });

  it("gives a redirect as the answer and follows none", async () => {
    site.on("/hook", { status: 307, headers: { location: "/other" } });
    expect(await post(`${site.origin}/hook`)).toMatchObject({ status: 307 });
    expect(site.asked).toEqual(["/hook"]);
  });

  it("gives the status of an answer whose body never ends", async () => {
    site.on("/hook", (_, response) => void response.writeHead(201).write("x"));
    let status: number | undefined;
    // On a machine that stands still the status itself may come after a limit: a longer one is tried then.
    for (let timeoutMs = 1_000; status === undefined; timeoutMs *= 4)
      status = await post(`${site.origin}/hook`, { timeoutMs }).then(
        (answer) => answer.status,
        (error: unknown) => void expect(error).toMatchObject({ code: "timeout" }),
      );
    expect(status).toBe(201);
  });

  it("ends at its time limit when no answer comes", async () => {
    site.on("/hook", () => undefined);
    const silent = post(`${site.origin}/hook`, { timeoutMs: 100 });
    await expect(silent).rejects.toMatchObject({ code: "timeout" });
  });

  it.each([
    ["a private address", () => `${inner.origin}/`],
    [
      "a name that resolves to one",
      () => `http://rebinding.example:${new URL(inner.origin).port}/`,
    ],
  ])("to %s is refused without a packet", async (_what, target) => {
    await expect(post(target())).rejects.toMatchObject({ code: "blocked-address" });
    expect(inner.connections()).toBe(0);
  });
});

describe("where every address is allowed", () => {
  it("a private one is reached, and one with credentials is refused still", async () => {
    await using open = openSafeFetch({ userAgent: "x", allowedOrigins: [], anyAddress: true });
    inner.on("/hook", { body: "in" });
    const options = { accept: "*/*", bytesMax: 10, timeoutMs: 30_000 };
    const { signal } = new AbortController();
    expect((await open.get(`${inner.origin}/hook`, { ...options, signal })).status).toBe(200);
    const named = inner.origin.replace("//", "//name:word@");
    await expect(open.get(named, { ...options, signal })).rejects.toMatchObject({
      code: "bad-url",
    });
  });
});

describe("a redirect", () => {
  it("is followed three times, with every hop sent through", async () => {
    for (const at of [0, 1, 2])
      site.on(`/${at}`, { status: 302, headers: { location: `/${at + 1}` } });
    site.on("/3", { body: "there" });
    const hops: string[] = [];
    const { url } = await get(`${site.origin}/0`, {
      through: (hop, send) => {
        hops.push(hop.pathname);
        return send();
      },
    });
    expect(url).toBe(`${site.origin}/3`);
    expect(hops).toEqual(["/0", "/1", "/2", "/3"]);
  });

  it("is not followed a fourth time, however many there are", async () => {
    for (let at = 0; at < 100; at += 1)
      site.on(`/${at}`, { status: 301, headers: { location: `/${at + 1}` } });
    await expect(get(`${site.origin}/0`)).rejects.toMatchObject({ code: "too-many-redirects" });
    expect(site.asked).toHaveLength(4);
  });

  it.each([
    ["another private origin", () => `${inner.origin}/secret`],
    ["the metadata service", () => "http://169.254.169.254/latest/meta-data"],
    ["a spelling of loopback", () => `http://2130706433:${new URL(inner.origin).port}/secret`],
    [
      "a name that resolves to loopback",
      () => `http://rebinding.example:${new URL(inner.origin).port}/`,
    ],
  ])("to %s is refused without a packet", async (_what, target) => {
    site.on("/moved", { status: 302, headers: { location: target() } });
    await expect(get(`${site.origin}/moved`)).rejects.toMatchObject({ code: "blocked-address" });
    expect(inner.connections()).toBe(0);
  });

  it("to nowhere is refused", async () => {
    site.on("/moved", { status: 302 });
    await expect(get(`${site.origin}/moved`)).rejects.toMatchObject({ code: "bad-redirect" });
  });
});

describe("a name", () => {
  const lookup = (answers: readonly (readonly string[])[], times: number): Promise<unknown[]> => {
    let call = 0;
    const guarded = guardedLookup(() =>
      Promise.resolve((answers[call++] ?? []).map((address) => ({ address, family: 4 }))),
    );
    const once = (): Promise<unknown> =>
      new Promise((resolve) => {
        guarded("publisher.example", { all: true }, (error, addresses) =>
          resolve(error === null ? addresses : (error as { code?: string }).code),
        );
      });
    return Promise.all(Array.from({ length: times }, once));
  };

  it("that resolves to loopback is refused without a packet", async () => {
    const url = `http://rebinding.example:${new URL(inner.origin).port}/`;
    await expect(get(url)).rejects.toMatchObject({ code: "blocked-address" });
    expect(inner.connections()).toBe(0);
  });

  it("that turns private after its first answer is connected to where the first pointed, then refused", async () => {
    const [first, second] = await lookup([["93.184.216.34"], ["10.0.0.1"]], 2);
    expect(first).toEqual([{ address: "93.184.216.34", family: 4 }]);
    expect(second).toBe("blocked-address");
  });

  it("with one private address among public ones is refused", async () => {
    expect(await lookup([["93.184.216.34", "192.168.0.1"]], 1)).toEqual(["blocked-address"]);
  });

  it("without an address is unresolved", async () => {
    expect(await lookup([[]], 1)).toEqual(["unresolved"]);
    await expect(get("http://gone.example/")).rejects.toMatchObject({ code: "unresolved" });
  });
});
