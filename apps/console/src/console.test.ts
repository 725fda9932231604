import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { expect, it } from "vitest";
import { loadConsole } from "./console.ts";

/** What a console of these files answers to a request. */
async function answerOf(
  files: Readonly<Record<string, string>>,
  path: string,
  init?: RequestInit,
): Promise<Response> {
  await using directory = await temporaryDirectory();
  await mkdir(join(directory.path, "assets"), { recursive: true });
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory.path, name), content);
  await using server = createServer(await loadConsole(directory.path));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, redirect: "manual" });
  const bytes = await answer.arrayBuffer();
  return new Response(bytes.byteLength === 0 ? null : bytes, answer);
}

const PAGE = { "index.html": "<p>console</p>", "assets/a-1.js": "run()", "notes.txt": "internal" };

it("serves the page with a policy that allows its own files alone, and asks for it anew each time", async () => {
  const answer = await answerOf(PAGE, "/console/");
  expect(await answer.text()).toBe("<p>console</p>");
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; /);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("cache-control")).toBe("no-cache");
});

it("answers 304 to who has the page already", async () => {
  const etag = (await answerOf(PAGE, "/console/")).headers.get("etag") ?? "";
  const again = await answerOf(PAGE, "/console/", { headers: { "if-none-match": etag } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

it.each([
  ["gzip, br", "gzip"],
  ["identity", null],
  ["gzip;q=0, br", null],
])("compresses for who accepts it: %s", async (accepted, encoding) => {
  const init = { headers: { "accept-encoding": accepted } };
  const answer = await answerOf(PAGE, "/console/assets/a-1.js", init);
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  expect(answer.headers.get("vary")).toBe("accept-encoding");
  expect(await answer.text()).toBe("run()");
});

it("lets assets be kept for a year", async () => {
  const answer = await answerOf(PAGE, "/console/assets/a-1.js");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
});

it.each([
  ["/console", 308],
  ["/console/notes.txt", 404],
  ["/console/assets/", 404],
  ["/console/..%2f..%2fpackage.json", 404],
])("answers %s with %i", async (path, status) => {
  expect((await answerOf(PAGE, path)).status).toBe(status);
});

it("takes no change", async () => {
  expect((await answerOf(PAGE, "/console/", { method: "POST" })).status).toBe(405);
});

it("says how it is built where it was not", async () => {
  const answer = await answerOf({}, "/console/");
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining("npm run build:console"),
  ]);
});
