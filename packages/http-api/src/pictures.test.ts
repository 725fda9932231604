import { request } from "node:http";
import type { OutgoingHttpHeaders } from "node:http";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import type { ContentId } from "@feed/domain/ids";
import { asId } from "@feed/domain/ids";
import { createPictureAddresses, storePicture } from "@feed/pictures";
import { openKeyring } from "@feed/signing";
import { buildSource, manualClock } from "@feed/test-kit";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { picturesMount } from "./pictures.mount.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

const DAY_MS = 24 * 3_600_000;
const clock = manualClock(Date.UTC(2026, 0, 1));
const contentId = asId<ContentId>("c1");
const source = buildSource();
let installation: Installation;
let address: string;
let placeholder: string;

beforeAll(async () => {
  installation = await openInstallation({
    change: async (deps, path) => {
      const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
      const baseUrl = () => installation.baseUrl;
      const options = { directory: `${path}/pictures`, keyring, clock, baseUrl };
      const objectStore = await openEmbeddedObjectStore(options);
      const addresses = createPictureAddresses({ keyring, baseUrl });
      const create = { width: 1600, height: 900, channels: 3, background: "#336699" } as const;
      const thumbnail = await storePicture(objectStore, await sharp({ create }).png().toBuffer());
      pathsOf = () => [
        addresses.thumbnail({ contentId, thumbnail }, source).url,
        addresses.thumbnail({ contentId }, source).url,
      ];
      const directory = { source: () => source };
      return { ...deps, mounts: [picturesMount({ addresses, objectStore, directory })] };
    },
  });
  [address = "", placeholder = ""] = pathsOf();
});
afterAll(() => installation[Symbol.asyncDispose]());

let pathsOf: () => readonly string[];
const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { headers });

/** Without the `no-cache` that `fetch` adds to a conditional request. */
const statusOf = (headers: OutgoingHttpHeaders) =>
  new Promise((resolve, reject) => {
    request(address, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });

describe("A picture at its signed address", () => {
  it.each([
    ["image/avif,image/webp,*/*", "image/avif", "heif"],
    ["image/webp,*/*", "image/webp", "webp"],
    ["*/*", "image/jpeg", "jpeg"],
  ])(
    "comes for Accept %s as %s, to be kept for ever by who accepts the same",
    async (accept, type, format) => {
      const answer = await get(address, { Accept: accept });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
      expect(answer.headers.get("vary")).toContain("Accept");
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      const { width, height, format: found } = await sharp(await answer.arrayBuffer()).metadata();
      expect({ width, height, found }).toEqual({ width: 640, height: 360, found: format });
    },
  );

  it("is 304 for who has it, and whole for who has it in another format", async () => {
    const first = await get(address, { Accept: "image/webp" });
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"\w+"$/);
    const again = { Accept: "image/webp", "If-None-Match": etag };
    expect(await statusOf(again)).toBe(304);
    expect(await statusOf({ ...again, Accept: "image/avif" })).toBe(200);
  });

  it("is generated where an article has none", async () => {
    const answer = await get(placeholder, { Accept: "image/webp" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/webp"]);
  });

  it.each([
    ["another size", (url: string) => url.replace(/640$/, "1280")],
    ["another picture", (url: string) => url.replace(/[0-9a-f]{64}/, "0".repeat(64))],
    ["another cut", (url: string) => url.replace("/thumbnail/", "/picture/")],
    ["a query besides", (url: string) => `${url}?w=9000`],
    ["another signature", (url: string) => url.replace(/\/pictures\/[^/]+/, "/pictures/x")],
  ])("is 403 with %s than signed", async (_, change) => {
    expect((await get(change(address))).status).toBe(403);
  });

  it("is read, and nothing else", async () => {
    const answer = await fetch(address, { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is there through one rotation of the key and 403 after the next, while new addresses work", async () => {
    clock.advance(30 * DAY_MS);
    expect((await get(address)).status).toBe(200);
    const [renewed = ""] = pathsOf();
    expect(renewed).not.toBe(address);
    clock.advance(31 * DAY_MS);
    expect((await get(address)).status).toBe(403);
    expect((await get(renewed)).status).toBe(200);
  });
});
