import { words } from "./language.ts";

/** Words that more than one screen uses. */
export const COMMON = words(
  {
    loading: "Loading…",
    retry: "Try again",
    cancel: "Cancel",
    close: "Close",
    save: "Save",
    saved: "Saved.",
    copy: "Copy",
    copied: "Copied.",
    none: "None",
    never: "Never",
    more: "Show more",
    working: "Working…",
    shownOnce: "It is shown this once. Store it where your backend reads its secrets.",
    details: "Details",
    noTenant: "This installation has no tenant yet.",
  },
  {
    loading: "読み込み中…",
    retry: "再試行",
    cancel: "キャンセル",
    close: "閉じる",
    save: "保存",
    saved: "保存しました。",
    copy: "コピー",
    copied: "コピーしました。",
    none: "なし",
    never: "なし",
    more: "さらに表示",
    working: "処理中…",
    shownOnce:
      "表示されるのは今回だけです。バックエンドがシークレットを読む場所に保管してください。",
    details: "詳細",
    noTenant: "この環境にはまだテナントがありません。",
  },
);
