import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { ENGLISH_PUBLISHERS } from "../publishers-english.ts";
import { JAPANESE_PUBLISHERS } from "../publishers-japanese.ts";
import { PictureStudio } from "./render.ts";
import type { PictureRequest } from "./render.ts";

const publishers = [...JAPANESE_PUBLISHERS, ...ENGLISH_PUBLISHERS];
const scenes = new Set(publishers.flatMap(({ text }) => text.kinds.flatMap((kind) => kind.scenes)));
const palette = publishers[0]?.palette ?? [];

const request = (change: Partial<PictureRequest>): PictureRequest => ({
  scene: "stadium",
  seed: "a",
  palette,
  width: 480,
  format: "jpg",
  ...change,
});

describe("PictureStudio", () => {
  it("draws every scene the publishers use, differently for every seed", async () => {
    const studio = new PictureStudio();
    expect(scenes.size).toBeGreaterThanOrEqual(12);
    for (const scene of scenes) {
      const drawn = await Promise.all(
        ["a", "b", "c"].map((seed) => studio.draw(request({ scene, seed }))),
      );
      expect(new Set(drawn.map((bytes) => bytes.toString("base64"))).size).toBe(3);
      for (const bytes of drawn) {
        const { entropy, channels } = await sharp(bytes).stats();
        expect(entropy).toBeGreaterThan(1);
        expect(channels).toHaveLength(3);
      }
    }
  });

  it("gives equal bytes for equal requests, drawn once or anew, as JPEG or PNG", async () => {
    for (const format of ["jpg", "png"] as const) {
      const studio = new PictureStudio();
      const [first, second] = await Promise.all([
        studio.draw(request({ format })),
        studio.draw(request({ format })),
      ]);
      expect(second).toBe(first);
      expect(first.equals(await new PictureStudio().draw(request({ format })))).toBe(true);
      expect((await sharp(first).metadata()).format).toBe(format === "jpg" ? "jpeg" : "png");
    }
  });
});
