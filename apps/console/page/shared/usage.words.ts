import { words } from "./language.ts";

/** Words of what is used, on every screen that shows it. */
export const USAGE = words(
  {
    endpoints: { feed: "Feeds", content: "Contents", push: "Push" },
    credits: "Credits",
    requests: "Requests",
    day: "Day",
    used: "Used this month",
    ofPlan: "Of the plan",
    ofCap: "Of the cap",
    part: (used: string, whole: string, share: string) => `${used} of ${whole} (${share})`,
    noCap: "There is no cap.",
    nextReset: "Next reset",
    numbers: "The numbers as a table",
    nothingUsed: "Nothing was used in this month.",
    total: "Total",
  },
  {
    endpoints: { feed: "フィード", content: "記事", push: "プッシュ" },
    credits: "クレジット",
    requests: "リクエスト数",
    day: "日",
    used: "今月の使用量",
    ofPlan: "プランに対して",
    ofCap: "上限に対して",
    part: (used: string, whole: string, share: string) => `${used} / ${whole}（${share}）`,
    noCap: "上限は設定されていません。",
    nextReset: "次回リセット",
    numbers: "数値を表で見る",
    nothingUsed: "この月の使用はありません。",
    total: "合計",
  },
);
