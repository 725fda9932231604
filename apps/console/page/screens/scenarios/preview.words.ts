import { words } from "../../shared/language.ts";

export const PREVIEW = words(
  {
    title: "Preview",
    leads: {
      feed: "What a feed would show now. Nothing is charged or recorded.",
      push: "What a push job would choose now. Nothing is charged or recorded.",
    },
    user: "As this user",
    userHint: "A user ID. Empty: as anybody without a history.",
    current: (version: string) => `Version ${version}`,
    proposed: "As edited",
    nothing: "Nothing fits.",
    working: "Is being worked out …",
    invalid: "This can't be previewed as it is: what is wrong is marked.",
    outdated: "Shown is what was there before.",
    summary: (up: string, down: string, added: string, gone: string) =>
      `${up} up, ${down} down, ${added} new, ${gone} gone.`,
    unchanged: "The order is the same.",
    score: (score: string) => `score ${score}`,
    why: "Why",
    moves: {
      same: "same place",
      new: "new",
      gone: "gone",
      up: (place: string) => `up from ${place}`,
      down: (place: string) => `down from ${place}`,
      upTo: (place: string) => `up to ${place}`,
      downTo: (place: string) => `down to ${place}`,
    },
    depths: {
      feed: "New and gone: not among the first 100 of the other list.",
      push: "New and gone: not among the three of the other list.",
    },
  },
  {
    title: "プレビュー",
    leads: {
      feed: "いま表示されるフィードです。課金も記録もされません。",
      push: "いまプッシュが選ぶ記事です。課金も記録もされません。",
    },
    user: "このユーザーとして表示",
    userHint: "ユーザー ID。空欄なら履歴のない人として表示します。",
    current: (version: string) => `バージョン ${version}`,
    proposed: "編集中の設定",
    nothing: "該当する記事がありません。",
    working: "計算しています…",
    invalid: "このままではプレビューできません。指摘のある項目をご確認ください。",
    outdated: "以前の内容を表示しています。",
    summary: (up: string, down: string, added: string, gone: string) =>
      `上昇 ${up}件、下降 ${down}件、新登場 ${added}件、圏外 ${gone}件。`,
    unchanged: "順序は変わりません。",
    score: (score: string) => `スコア ${score}`,
    why: "理由",
    moves: {
      same: "変化なし",
      new: "新登場",
      gone: "圏外",
      up: (place: string) => `${place}位から上昇`,
      down: (place: string) => `${place}位から下降`,
      upTo: (place: string) => `${place}位へ上昇`,
      downTo: (place: string) => `${place}位へ下降`,
    },
    depths: {
      feed: "新登場・圏外: もう一方の上位100件にない記事です。",
      push: "新登場・圏外: もう一方の3件にない記事です。",
    },
  },
);
