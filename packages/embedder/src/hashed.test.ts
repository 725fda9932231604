import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cosine, describeEmbedder, passage } from "./conformance.ts";
import {
  HUFFPOST,
  LIVEDOOR,
  precisionAt10,
  readHuffpost,
  readLivedoor,
} from "./corpora.fixture.ts";
import { openHashedEmbedder } from "./hashed.ts";
import { EmbedderRejected } from "./port.ts";
import { textOfArticle } from "./text.ts";

describeEmbedder("hashed", () => openHashedEmbedder());

async function similarity(left: string, right: string): Promise<number> {
  await using embedder = await openHashedEmbedder();
  const [a, b] = await embedder.embed([passage(left), passage(right)]);
  return cosine(a!, b!);
}

describe("the hashed embedder", () => {
  it("keeps its vectors from release to release", async () => {
    await using embedder = await openHashedEmbedder({ dimensions: 16 });
    expect(embedder.model).toBe("hashed-ngrams-1-16");
    const [vector] = await embedder.embed([passage("東京のAI企業がチップを発売\nNew chips")]);
    expect([...vector!].map((value) => Math.round(value * 100))).toMatchInlineSnapshot(`
      [
        27,
        -33,
        -16,
        -35,
        -9,
        32,
        0,
        -18,
        -5,
        -60,
        3,
        -26,
        -9,
        0,
        -29,
        0,
      ]
    `);
  });

  it("brings articles of one topic together, in Japanese and in English", async () => {
    const japanese = await similarity("東京で新しい駅が開業した", "新しい駅、東京で開業");
    expect(japanese).toBeGreaterThan(0.5);
    expect(japanese).toBeGreaterThan(
      await similarity("東京で新しい駅が開業した", "今夜の野球は延長戦"),
    );
    const english = await similarity(
      "Central banks raise interest rates",
      "A bank raised its interest rate",
    );
    expect(english).toBeGreaterThan(0.5);
    expect(english).toBeGreaterThan(
      await similarity("Central banks raise rates", "Football final tonight"),
    );
  });

  it("folds case, width and composition", async () => {
    expect(await similarity("ＡＩ ｶﾒﾗ Café", "ai カメラ cafe\u0301")).toBeCloseTo(1, 5);
  });

  it("lets the title weigh more than the body", async () => {
    const article = "野球の結果\n経済の記事";
    expect(await similarity(article, "野球の結果")).toBeGreaterThan(
      await similarity(article, "経済の記事"),
    );
  });

  it.each([0, 15, 4_097, 100.5, Number.NaN])("refuses %d dimensions", async (dimensions) => {
    await expect(openHashedEmbedder({ dimensions })).rejects.toThrow(EmbedderRejected);
  });
});

/** Ten thousand texts each: as long as it takes on a machine that does other things too. */
const TIMEOUT_MS = 600_000;
const present = existsSync(LIVEDOOR) && existsSync(HUFFPOST);
if (!present) process.stderr.write(`precision tests are skipped: ${LIVEDOOR} is not there\n`);

describe.skipIf(!present)("on real articles", () => {
  it(
    "finds articles of the same Japanese publisher: 6 times chance",
    { timeout: TIMEOUT_MS },
    async () => {
      expect(await precisionAt10(await openHashedEmbedder(), readLivedoor(), 500)).toBeGreaterThan(
        0.7,
      );
    },
  );

  it("finds English headlines of the same category", { timeout: TIMEOUT_MS }, async () => {
    expect(await precisionAt10(await openHashedEmbedder(), readHuffpost(), 500)).toBeGreaterThan(
      0.38,
    );
  });
});

describe("the text of an article", () => {
  it("is the title on one line, then summary and body, cut to 4,000 characters", () => {
    const text = textOfArticle({ title: "A\n title ", summary: "Sum.", body: "b".repeat(5_000) });
    expect(text.startsWith("A title\nSum.\nbbb")).toBe(true);
    expect(text).toHaveLength(4_000);
  });

  it("does not repeat a summary that is the body's beginning", () => {
    expect(textOfArticle({ title: "T", summary: "One.", body: "One. Two." })).toBe("T\nOne. Two.");
  });
});
