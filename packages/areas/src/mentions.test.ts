import { describe, expect, it } from "vitest";
import { loadGazetteer } from "./load.ts";
import { findAreaMentions } from "./mentions.ts";
import * as wordLists from "./mention-words.ts";

const gazetteer = await loadGazetteer();
const ids = (text: string) =>
  findAreaMentions(text, gazetteer).map((mention) => mention.areaId as string);
const confidence = (text: string, id: string) =>
  findAreaMentions(text, gazetteer).find((mention) => mention.areaId === id)?.confidence ?? 0;

describe("areas mentioned in a text", () => {
  it("are surest with their suffix, and the longest form wins", () => {
    expect(ids("横浜市中区で火災")).toEqual(["city-14-yokohama-naka"]);
    expect(ids("東京都は発表した")).toEqual(["pref-13"]);
    expect(confidence("渋谷区で", "city-13-shibuya")).toBeGreaterThan(
      confidence("渋谷で", "city-13-shibuya"),
    );
  });

  it("are counted, and more of them are surer", () => {
    const [once] = findAreaMentions("札幌の雪", gazetteer);
    const [twice] = findAreaMentions("札幌の雪と札幌の夏", gazetteer);
    expect(twice?.count).toBe(2);
    expect(twice?.confidence).toBeGreaterThan(once?.confidence ?? 1);
  });

  it.each([
    ["日光浴を楽しむ"],
    ["日光がまぶしい"],
    ["光の中で桜と緑が栄える"],
    ["大和魂と泉の水、旭と堺"],
    ["香川真司が得点した"],
    ["宮崎さんと千葉さん"],
    ["大分前から中央に"],
    ["観光駅前と中央市場"],
    ["東京電力の社長"],
    ["さくらが咲いた"],
    ["乃木坂46の新曲"],
    ["中奈良さん"],
    ["だいたいわきの下"],
    ["千代田区画整理"],
  ])("are not made of other words: %s", (text) => expect(ids(text)).toEqual([]));

  it("are not cut out of katakana words", () => {
    expect(ids("東京都の東京テレポートタウン")).toEqual(["pref-13"]);
    expect(ids("横浜市のショッピングセンター北と南")).toEqual(["city-14-yokohama"]);
  });

  it("with a family name need a sign of place behind it", () => {
    expect(ids("石川の試合")).toEqual([]);
    expect(ids("石川県内の試合")).toEqual(["pref-17"]);
    expect(ids("千葉出身")).toContain("pref-12");
  });

  it("that are shared are settled by the other places of the text, and uncertain without them", () => {
    expect(ids("広島県の府中市で祭り")).toContain("city-34-fuchu");
    expect(ids("広島県の府中市で祭り")).not.toContain("city-13-fuchu");
    expect(ids("調布市と府中で祭り")).toContain("city-13-fuchu");
    expect(confidence("府中市で祭り", "city-13-fuchu")).toBeLessThan(0.5);
    expect(ids("札幌市の中央区")).toContain("city-01-sapporo-chuo");
    expect(ids("横浜市の緑区")).toContain("city-14-yokohama-midori");
    expect(ids("横浜市の緑区")).not.toContain("city-14-sagamihara-midori");
    expect(ids("中央区で")).toEqual([]);
    expect(ids("中央区で、".repeat(12))).toEqual([]);
  });

  it("take the wider place of a bare name to be meant first", () => {
    expect(ids("大阪で開催")).toEqual(["pref-27", "city-27-osaka"]);
    expect(ids("沖縄の海")).toEqual(["pref-47"]);
    expect(ids("横浜の夜")).toEqual(["city-14-yokohama"]);
    expect(ids("渋谷の夜")).toEqual(["city-13-shibuya", "station-13-shibuya"]);
  });

  it("are found in English as whole capitalised words", () => {
    expect(ids("Snow fell in Sapporo and at Shibuya Station.")).toEqual([
      "station-13-shibuya",
      "city-01-sapporo",
    ]);
    expect(ids("the otaku of date night had a mine")).toEqual([]);
    expect(ids("Naomi Osaka won again")).toEqual([]);
    expect(ids("The summit in Osaka")).toContain("pref-27");
    expect(ids("Kobe Bryant drove a Toyota")).toEqual([]);
    expect(ids("Ōta-ku, Naka-ku of Hiroshima City")).toContain("city-34-hiroshima-naka");
  });

  it("are looked for by lists that name only places of the gazetteer", () => {
    const stems = new Set(gazetteer.areas.map((area) => area.stem));
    const { PLAIN_STEMS, SUFFIX_NEEDED_STEMS, FAMILY_NAME_STEMS, PREFECTURE_ONLY_STEMS } =
      wordLists;
    for (const list of [
      PLAIN_STEMS,
      SUFFIX_NEEDED_STEMS,
      FAMILY_NAME_STEMS,
      PREFECTURE_ONLY_STEMS,
    ]) {
      expect([...list].filter((stem) => !stems.has(stem))).toEqual([]);
    }
  });
});
