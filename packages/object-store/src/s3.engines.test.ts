import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { engineUrl, linkTo, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";
import { describeObjectStore } from "./conformance.ts";
import { ObjectStoreUnavailable } from "./port.ts";
import { openS3ObjectStore, parseS3Url } from "./s3.ts";
import { openInFreshBucket } from "./testing/s3-under-test.ts";

const MIB = 1024 * 1024;
const settings = () => parseS3Url(engineUrl("OBJECT_STORE"));

describeObjectStore("S3", () => openInFreshBucket());

async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}

function* megabytes(count: number) {
  for (let at = 0; at < count; at += 1) yield Buffer.alloc(MIB, at + 1);
}

describe("The object store in S3", () => {
  it("takes a stream larger than a part in parts, and gives it back as it was", async () => {
    await using subject = await openInFreshBucket();
    const put = await subject.store.put("large", Readable.from(megabytes(20)), "text/plain");
    expect(put.bytes).toBe(20 * MIB);
    expect(put.etag).toMatch(/-3$/);
    const got = await subject.store.get("large");
    expect(got?.object).toEqual(put);
    expect(await buffer(got?.body ?? Readable.from([]))).toEqual(Buffer.concat([...megabytes(20)]));
  });

  it("keeps nothing of a stream that fails after its first parts", async () => {
    await using subject = await openInFreshBucket();
    const failing = Readable.from(
      (function* () {
        yield* megabytes(17);
        throw new Error("the sender went away");
      })(),
    );
    const putting = subject.store.put("torn", failing, "text/plain");
    await expect(putting).rejects.toThrow(ObjectStoreUnavailable);
    const { client } = subject;
    const left = await client
      .listIncompleteUploads(subject.settings.bucket, "torn", true)
      .toArray();
    expect(left).toEqual([]);
    expect(await subject.store.head("torn")).toBeUndefined();
  });

  it("keeps one whole object of two that are written to a key at once", async () => {
    await using subject = await openInFreshBucket();
    const fill = (byte: number) =>
      Readable.from(Array.from({ length: 17 }, () => Buffer.alloc(MIB, byte)));
    const putting = [1, 2].map((byte) => subject.store.put("same", fill(byte), "text/plain"));
    await Promise.all(putting);
    const got = await subject.store.get("same");
    const kept = await buffer(got?.body ?? Readable.from([]));
    expect(kept).toEqual(Buffer.alloc(17 * MIB, kept[0]));
  });

  it("signs addresses that anyone can get, as a download, and nobody can change", async () => {
    await using subject = await openInFreshBucket();
    await subject.store.put("r/1.jsonl", Buffer.from("{}\n"), "application/x-ndjson");
    await subject.store.put("r/2.jsonl", Buffer.from("secret"), "application/x-ndjson");
    const options = { expiresInMs: 600_000, downloadName: "result.jsonl" };
    const url = await subject.store.presignGet("r/1.jsonl", options);
    const answer = await fetch(url);
    expect(await answer.text()).toBe("{}\n");
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="result.jsonl"');
    for (const changed of [
      url.replace("r/1.jsonl", "r/2.jsonl"),
      url.replace("X-Amz-Expires=600", "X-Amz-Expires=6000"),
      url.replace("result.jsonl", "other.jsonl"),
      url.slice(0, url.indexOf("?")),
    ]) {
      expect(await statusOf(changed)).toBe(403);
    }
  });

  it("signs addresses that end", async () => {
    await using subject = await openInFreshBucket();
    await subject.store.put("soon-gone", Buffer.from("x"), "text/plain");
    let url = "";
    // Counted from the start of the second in which it is signed: on a busy machine one may have ended before it is used.
    const isServed = async () => {
      url = await subject.store.presignGet("soon-gone", { expiresInMs: 5_000 });
      return (await statusOf(url)) === 200;
    };
    await waitFor(isServed, { timeoutMs: 60_000 });
    await expect.poll(() => statusOf(url), { timeout: 60_000 }).toBe(403);
  });

  it("signs addresses of the endpoint that callers reach", async () => {
    const publicEndpoint = new URL("https://files.example:8443");
    await using subject = await openInFreshBucket({ publicEndpoint });
    const url = new URL(await subject.store.presignGet("a", { expiresInMs: 60_000 }));
    expect(url.origin).toBe("https://files.example:8443");
    expect(url.pathname).toBe(`/${subject.settings.bucket}/a`);
  });

  it("leaves the rules of a bucket that is there as they are", async () => {
    await using subject = await openInFreshBucket();
    const { settings: same, client } = subject;
    const lifecycle = await client.getBucketLifecycle(same.bucket);
    await using _another = await openS3ObjectStore({
      settings: same,
      expiryDays: { "other/": 1 },
    });
    expect(await client.getBucketLifecycle(same.bucket)).toEqual(lifecycle);
  });

  it("fails while the service is away, and serves again when it is back", async () => {
    const { hostname: host, port } = settings().endpoint;
    await using link = await linkTo({ host, port: Number(port) });
    const endpoint = new URL(`http://127.0.0.1:${link.port}`);
    await using subject = await openInFreshBucket({ endpoint });
    await subject.store.put("a", Buffer.from("x"), "text/plain");
    await link.break();
    await expect(subject.store.head("a")).rejects.toThrow(ObjectStoreUnavailable);
    const listing = subject.store.list("")[Symbol.asyncIterator]();
    await expect(listing.next()).rejects.toThrow(ObjectStoreUnavailable);
    await link.mend();
    const head = () => subject.store.head("a").catch(() => undefined);
    await waitFor(async () => (await head())?.bytes === 1, { timeoutMs: 120_000 });
  });

  it.each([
    ["that nobody listens", { endpoint: new URL("http://127.0.0.1:1") }],
    ["that its key is refused", { secretKey: "another-secret" }],
  ])("says in one line %s", async (_, changed) => {
    const opening = openS3ObjectStore({ settings: { ...settings(), ...changed } });
    await expect(opening).rejects.toThrow(ObjectStoreUnavailable);
    await expect(opening).rejects.toThrow(/^S3 at [^\n]+, bucket feed can't be used: [^\n]+$/);
  });
});
