import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { openKeyring } from "@feed/signing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { objectsMount } from "./objects.mount.ts";
import { openInstallation } from "./testing/installation.ts";
import type { Installation } from "./testing/installation.ts";

const LINES = `${JSON.stringify({ user_id: "u", candidates: [] })}\n`.repeat(1_000);
let installation: Installation;
let addressOf: (key: string) => Promise<string>;

beforeAll(async () => {
  installation = await openInstallation({
    change: async (deps, path) => {
      const { clock } = deps;
      const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
      const baseUrl = () => installation.baseUrl;
      const objectStore = await openEmbeddedObjectStore({
        directory: join(path, "results"),
        keyring,
        clock,
        baseUrl,
      });
      await objectStore.put("result.jsonl", Buffer.from(LINES), "application/x-ndjson");
      await objectStore.put("empty.jsonl", Buffer.alloc(0), "application/x-ndjson");
      addressOf = (key) => objectStore.presignGet(key, { expiresInMs: 3_600_000 });
      return { ...deps, mounts: [objectsMount({ objectStore, keyring })] };
    },
  });
});
afterAll(() => installation[Symbol.asyncDispose]());

async function download(key: string, encoding?: string) {
  const address = await addressOf(key);
  const headers = encoding === undefined ? {} : { "Accept-Encoding": encoding };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers }, resolve).on("error", reject);
  });
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe("Result downloads (spec 4.7)", () => {
  it("are plain, with their length, for who accepts no encoding", async () => {
    const { status, headers, body } = await download("result.jsonl");
    expect([status, headers["content-encoding"]]).toEqual([200, undefined]);
    expect(headers["content-length"]).toBe(String(LINES.length));
    expect(body.toString()).toBe(LINES);
  });

  it("come by gzip to who accepts it", async () => {
    const { headers, body } = await download("result.jsonl", "gzip, deflate");
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    expect(body.length).toBeLessThan(LINES.length / 10);
    expect(gunzipSync(body).toString()).toBe(LINES);
  });

  it("may be empty", async () => {
    expect(await download("empty.jsonl")).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    const { body } = await download("empty.jsonl", "gzip");
    expect(gunzipSync(body)).toHaveLength(0);
  });

  it("are 403 when the address was changed", async () => {
    const address = await addressOf("result.jsonl");
    const answer = await fetch(address.replace("result", "empty"));
    expect(answer.status).toBe(403);
  });
});
