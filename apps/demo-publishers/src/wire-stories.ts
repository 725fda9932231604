/** An agency story that two publishers carry, so that near-duplicate grouping has something to find. */
export interface WireStory {
  readonly originalTitle: string;
  readonly secondSlug: string;
  readonly title: string;
  readonly agency: string;
  readonly credit: string;
  /** By how much the second publisher was faster. */
  readonly aheadMs: number;
}

const MINUTE_MS = 60_000;
const JAPANESE_AGENCY = { agency: "つばめ共同通信", credit: "（つばめ共同通信）" };
const ENGLISH_AGENCY = { agency: "Swift Wire", credit: "Reporting by Swift Wire." };

export const WIRE_STORIES: readonly WireStory[] = [
  {
    ...JAPANESE_AGENCY,
    originalTitle: "五万人の新スタジアム、桜色の屋根で来春開場",
    secondSlug: "kansai-kawara",
    title: "大阪湾岸の新スタジアム、五万人収容 桜色の大屋根が姿現す",
    aheadMs: 25 * MINUTE_MS,
  },
  {
    ...JAPANESE_AGENCY,
    originalTitle: "物流のカモメ運輸、夜の高速で無人トラック隊列",
    secondSlug: "shuto-machikado",
    title: "カモメ運輸が夜間に隊列トラック 先頭だけ有人、定期運行へ",
    aheadMs: 40 * MINUTE_MS,
  },
  {
    ...JAPANESE_AGENCY,
    originalTitle: "夜行列車が帰ってきた 個室で迎える日本海の朝",
    secondSlug: "akebono-keizai",
    title: "東京と山陰結ぶ夜行列車、観光用の個室列車として復活",
    aheadMs: 70 * MINUTE_MS,
  },
  {
    ...ENGLISH_AGENCY,
    originalTitle: "Solar garden sensors that text you when tomatoes are thirsty",
    secondSlug: "greenline-climate",
    title: "Thirsty tomatoes send a text: solar sensor watches the soil",
    aheadMs: 15 * MINUTE_MS,
  },
  {
    ...ENGLISH_AGENCY,
    originalTitle: "Women’s final sells out in nine minutes, records tumble",
    secondSlug: "quire-review",
    title: "Cup final tickets gone in nine minutes as women’s game breaks records",
    aheadMs: 20 * MINUTE_MS,
  },
];
