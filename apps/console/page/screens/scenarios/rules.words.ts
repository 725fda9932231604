import { words } from "../../shared/language.ts";

/** Words of the lists of things with a number, by the names of their settings. */
export const RULES = words(
  {
    notes: {
      ranking_rules:
        "A factor above 1 lifts, one below 1 buries. What no rule matches keeps its score; of several, the factors are multiplied.",
      source_caps:
        "The largest share of one source within so many items, in place of that of all sources. Feeds only.",
    },
    none: "There is none yet.",
    lifts: "lifts",
    buries: "buries",
    changesNothing: "changes nothing",
    remove: "Remove",
    removeOf: (target: string) => `Remove ${target}`,
    added: (name: string) => `${name} is added.`,
    removed: (target: string) => `${target} is removed.`,
    kind: "What",
    find: "Find",
    findHint: {
      source: "Part of a name, or an ID.",
      category: "Part of a name.",
      article: "Words of the title, or an article's ID.",
    },
    add: { lift: "Boost", bury: "Bury", cap: "Add" },
    addOf: (verb: string, name: string) => `${verb}: ${name}`,
    found: (count: string) => `${count} found`,
    foundMore: (shown: string, count: string) => `${shown} of ${count} found are shown`,
    full: "There is no room for more.",
  },
  {
    notes: {
      ranking_rules:
        "倍率が1より大きいと上げ、1より小さいと下げます。どのルールにも当たらない記事のスコアは変わりません。複数当たる場合は倍率を掛け合わせます。",
      source_caps:
        "対象件数のうち、その媒体が占めてよい割合です。全媒体共通の上限より優先します。フィードのみに効きます。",
    },
    none: "まだありません。",
    lifts: "上げる",
    buries: "下げる",
    changesNothing: "変化なし",
    remove: "削除",
    removeOf: (target: string) => `${target} を削除`,
    added: (name: string) => `${name} を追加しました。`,
    removed: (target: string) => `${target} を削除しました。`,
    kind: "対象",
    find: "探す",
    findHint: {
      source: "名前の一部または ID。",
      category: "名前の一部。",
      article: "タイトルの言葉または記事 ID。",
    },
    add: { lift: "ブースト", bury: "抑制", cap: "追加" },
    addOf: (verb: string, name: string) => `${verb}: ${name}`,
    found: (count: string) => `${count}件見つかりました`,
    foundMore: (shown: string, count: string) => `${count}件中 ${shown}件を表示しています`,
    full: "これ以上は追加できません。",
  },
);
