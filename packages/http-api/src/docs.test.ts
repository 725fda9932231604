import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROBLEM_TYPES } from "./problem-types.ts";
import { call } from "./testing/client.ts";
import { openInstallation, type Installation } from "./testing/installation.ts";

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation[Symbol.asyncDispose]());

const get = (path: string) =>
  call(installation, "GET", path, { key: null, headers: { Accept: "text/html" } });

/** Addresses of the service that a page names, without fragments. */
const addressesIn = (html: string) =>
  [...html.matchAll(/(?:src|href)="(\/[^"#]*)/g)].map(([, address = ""]) => address);

/** Every page that can be reached from `/docs` by links, by its address. */
async function walk(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const open = ["/docs"];
  for (const address of open) {
    if (pages.has(address)) continue;
    const { status, text, headers } = await get(address);
    if (status !== 200) throw new Error(`${address} is ${status}`);
    const isPage = headers.get("content-type")?.startsWith("text/html") === true;
    pages.set(address, isPage ? text : "");
    open.push(...addressesIn(pages.get(address) ?? ""));
  }
  return pages;
}

describe("/docs", () => {
  it("leads to every page, picture and example, and none of its links leads nowhere", async () => {
    const pages = await walk();
    for (const address of [
      "/docs/quick-start",
      "/docs/recipes/proxy",
      "/docs/operating/lag",
      "/docs/decisions/0001-lmdb-for-the-embedded-log",
      "/docs/typescript-client",
      "/docs/examples/python/feed.py",
      "/docs/pictures/flow.svg",
      "/docs/api",
    ])
      expect([...pages.keys()]).toContain(address);
    const anchors = [...pages].flatMap(([address, html]) =>
      [...html.matchAll(/href="([^"#]*)#([^"]+)"/g)].map(([, target = "", id = ""]) => ({
        address,
        id,
        isThere: (pages.get(target === "" ? address : target) ?? "").includes(` id="${id}"`),
      })),
    );
    expect(anchors.length).toBeGreaterThan(0);
    expect(anchors.filter(({ id, isThere }) => !isThere && id !== "/")).toEqual([]);
  });

  it("needs nothing from other hosts, and no script, under a strict policy", async () => {
    const { text, headers } = await get("/docs/quick-start");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "img-src 'self' data:; style-src 'self'",
    );
    expect(text).not.toMatch(/ src="(?:https?:)?\/\/|<script|<style| style="/);
  });

  it("marks the page in the contents", async () => {
    const { text } = await get("/docs/concepts");
    expect(text.match(/aria-current="page"/g)).toHaveLength(1);
    expect(text).toContain('<a href="/docs/concepts" aria-current="page">Concepts</a>');
  });

  it("serves files of the site alone", async () => {
    for (const path of ["/docs/nothing", "/docs/..%2fpackage.json", "/docs/README.md"])
      expect((await get(path)).status).toBe(404);
  });
});

describe("/docs/api", () => {
  it("is the reference, from itself alone, under a strict policy", async () => {
    const { text, headers } = await get("/docs/api");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
    const assets = addressesIn(text).filter((address) => address.startsWith("/docs/api/"));
    expect(assets).toHaveLength(3);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    for (const address of assets) expect((await get(address)).status).toBe(200);
    expect((await get("/docs/api/package.json")).status).toBe(404);
  });
});

describe("/docs/errors", () => {
  it("has an anchor for every type of problem, to which the page of the type leads", async () => {
    const errors = (await get("/docs/errors")).text;
    for (const slug of Object.keys(PROBLEM_TYPES)) {
      expect(errors).toContain(`<h2 id="${slug}">`);
      expect((await get(`/probs/${slug}`)).text).toContain(`href="/docs/errors#${slug}"`);
    }
  });
});
