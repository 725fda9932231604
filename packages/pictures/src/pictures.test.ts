import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { asId, type ContentId, type PictureId, type SourceId } from "@feed/domain/ids";
import { openKeyring } from "@feed/signing";
import { buildSource, manualClock, temporaryDirectory } from "@feed/test-kit";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createPictureAddresses,
  deliverPicture,
  deliverPlaceholder,
  formatFor,
  Gate,
  storePicture,
} from "./index.ts";
import { PICTURE_BYTES_MAX } from "./limits.ts";
import { thumbnailSize } from "./size.ts";

const clock = manualClock(Date.UTC(2026, 0, 1));
const keyring = openKeyring({ root: new Uint8Array(32).fill(7), clock });
const baseUrl = () => "http://127.0.0.1:1";
const directory = await temporaryDirectory();
const objectStore = await openEmbeddedObjectStore({
  directory: directory.path,
  keyring,
  clock,
  baseUrl,
});
const gate = new Gate(1);
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#336699" } });

afterAll(async () => {
  await objectStore[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

describe("Pictures are converted to WebP or AVIF by Accept (spec 1)", () => {
  it.each([
    ["image/avif,image/webp,*/*", "avif"],
    ["image/webp,image/apng,*/*;q=0.8", "webp"],
    ["image/avif;q=0, image/webp", "webp"],
    ["image/*,*/*;q=0.8", "jpeg"],
    [undefined, "jpeg"],
  ])("%s gives %s", (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });
});

describe("A stored picture", () => {
  let picture: Awaited<ReturnType<typeof storePicture>>;
  beforeAll(async () => {
    picture = await storePicture(objectStore, await plain(1600, 900).png().toBuffer());
  });

  it("is known by its content and its size", async () => {
    expect(picture).toMatchObject({ width: 1600, height: 900 });
    const again = await storePicture(objectStore, await plain(1600, 900).png().toBuffer());
    expect(again.id).toBe(picture.id);
  });

  it.each(["avif", "webp", "jpeg"] as const)(
    "is delivered as %s at the width asked for",
    async (format) => {
      const delivered = await deliverPicture(
        { objectStore, gate },
        { kind: "picture", id: picture.id, width: 320 },
        format,
      );
      const { width, height, format: read } = await sharp(delivered?.bytes).metadata();
      expect({ width, height }).toEqual({ width: 320, height: 180 });
      expect(read).toBe(format === "avif" ? "heif" : format);
      const kept = await deliverPicture(
        { objectStore, gate },
        { kind: "picture", id: picture.id, width: 320 },
        format,
      );
      expect(kept?.etag).toBe(delivered?.etag);
    },
  );

  it("is never enlarged", async () => {
    const small = await storePicture(objectStore, await plain(100, 50).png().toBuffer());
    const delivered = await deliverPicture(
      { objectStore, gate },
      { kind: "picture", id: small.id, width: 640 },
      "webp",
    );
    expect(await sharp(delivered?.bytes).metadata()).toMatchObject({ width: 100, height: 50 });
  });

  it("is nothing where no original is stored", async () => {
    const unknown = asId<PictureId>("0".repeat(64));
    expect(
      await deliverPicture(
        { objectStore, gate },
        { kind: "picture", id: unknown, width: 320 },
        "webp",
      ),
    ).toBeUndefined();
  });
});

describe("A thumbnail", () => {
  it.each([
    ["a wide original", 1600, 400, { width: 640, height: 360 }],
    ["a tall original", 900, 1600, { width: 640, height: 360 }],
    ["a small original", 200, 400, { width: 200, height: 113 }],
  ])("is 16:9 and as large as announced, of %s", async (_what, width, height, size) => {
    const original = await storePicture(objectStore, await plain(width, height).png().toBuffer());
    const request = { kind: "thumbnail", id: original.id, width: 640 } as const;
    const delivered = await deliverPicture({ objectStore, gate }, request, "webp");
    const announced = thumbnailSize(original, 640);
    expect(announced).toEqual(size);
    expect(await sharp(delivered?.bytes).metadata()).toMatchObject(announced);
  });

  it("keeps what draws the eye, wherever it lies", async () => {
    const spot = await sharp({
      create: { width: 200, height: 200, channels: 3, background: "#ffb08a" },
    })
      .png()
      .toBuffer();
    const bytes = await plain(640, 1280)
      .composite([{ input: spot, left: 220, top: 1000 }])
      .png()
      .toBuffer();
    const original = await storePicture(objectStore, bytes);
    const request = { kind: "thumbnail", id: original.id, width: 640 } as const;
    const delivered = await deliverPicture({ objectStore, gate }, request, "jpeg");
    const { channels } = await sharp(delivered?.bytes).stats();
    expect(channels[0]?.max).toBeGreaterThan(230);
  });
});

describe("A picture from outside is refused", () => {
  it("when it has too many bytes", async () => {
    await expect(storePicture(objectStore, new Uint8Array(PICTURE_BYTES_MAX + 1))).rejects.toThrow(
      /more than/,
    );
  });

  it("when a small file hides too many pixels", async () => {
    const bomb = await plain(9000, 9000).png().toBuffer();
    await expect(storePicture(objectStore, bomb)).rejects.toThrow(/pixel limit/);
  });

  it("when it is a drawing, a page, or cut short", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await expect(storePicture(objectStore, svg)).rejects.toThrow(/svg/);
    await expect(storePicture(objectStore, Buffer.from("<html></html>"))).rejects.toThrow(/format/);
    const noise = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: "#000",
        noise: { type: "gaussian", mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer();
    const cut = noise.subarray(0, noise.length / 2);
    await expect(storePicture(objectStore, cut)).rejects.toMatchObject({ name: "PictureRefused" });
  });
});

describe("Picture addresses", () => {
  const addresses = createPictureAddresses({ keyring, baseUrl });
  const source = buildSource({ sourceId: asId<SourceId>("nagi-news") });
  const contentId = asId<ContentId>("c1");

  it("name the picture at thumbnail size, with the size it will have", () => {
    const thumbnail = { id: asId<PictureId>("a".repeat(64)), width: 1200, height: 675 };
    const made = addresses.thumbnail({ contentId, thumbnail }, source);
    expect(made).toMatchObject({ width: 640, height: 360 });
    const [, , signature = "", ...rest] = new URL(made.url).pathname.split("/");
    expect(addresses.verify(signature, rest.join("/"))).toEqual({
      kind: "thumbnail",
      id: thumbnail.id,
      width: 640,
    });
    expect(addresses.verify(signature, rest.join("/").replace("/640", "/1280"))).toBeUndefined();
  });

  it("lead to a placeholder for an article without a picture", async () => {
    const made = addresses.thumbnail({ contentId }, source);
    const [, , signature = "", ...rest] = new URL(made.url).pathname.split("/");
    expect(addresses.verify(signature, rest.join("/"))).toMatchObject({
      kind: "placeholder",
      sourceId: "nagi-news",
    });
    const picture = await deliverPlaceholder({ objectStore, gate }, source, 640, "webp");
    expect(await sharp(picture.bytes).metadata()).toMatchObject({
      width: made.width,
      height: made.height,
    });
  });

  it("change with what a placeholder shows, because what is behind one may be kept for ever", () => {
    const made = addresses.thumbnail({ contentId }, source).url;
    expect(addresses.thumbnail({ contentId }, { ...source }).url).toBe(made);
    for (const change of [{ name: "Nagi" }, { colour: "#123456" }])
      expect(addresses.thumbnail({ contentId }, { ...source, ...change }).url).not.toBe(made);
  });

  it("end when their key has rotated twice", () => {
    const made = addresses.bodyPicture(asId<PictureId>("b".repeat(64)));
    const [, , signature = "", ...rest] = new URL(made).pathname.split("/");
    clock.advance(61 * 24 * 3_600_000);
    expect(addresses.verify(signature, rest.join("/"))).toBeUndefined();
  });
});
