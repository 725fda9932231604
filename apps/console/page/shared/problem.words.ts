import { words } from "./language.ts";

/** What a problem document means to somebody at the console, by the last step of its type. */
export const PROBLEMS = words(
  {
    validation: "Something that was entered breaks a rule.",
    unauthorized: "That was not accepted.",
    forbidden: "Your role does not cover this.",
    notFound: "This does not exist any more.",
    conflict: "It contradicts what is there by now. Load it again.",
    rateLimit: "Too many tries.",
    unavailable: "A part of the service is away, or a change is recorded but not in force yet.",
    internal: "The service has a fault.",
    unreachable: "The service can't be reached.",
    other: "The service refused this.",
    wait: (seconds: number) => `Try again in ${seconds} s.`,
  },
  {
    validation: "入力内容に誤りがあります。",
    unauthorized: "認証できませんでした。",
    forbidden: "この操作を行う権限がありません。",
    notFound: "対象が見つかりません。",
    conflict: "現在の内容と矛盾しています。読み込み直してください。",
    rateLimit: "試行回数が多すぎます。",
    unavailable: "サービスの一部が停止しているか、変更がまだ反映されていません。",
    internal: "サービスで障害が起きています。",
    unreachable: "サービスに接続できません。",
    other: "サービスに受け付けられませんでした。",
    wait: (seconds: number) => `${seconds}秒後に再試行してください。`,
  },
);
type Known = Exclude<keyof (typeof PROBLEMS)["en"], "wait">;

const BY_SLUG: Readonly<Record<string, Known>> = {
  validation: "validation",
  "bad-request": "validation",
  unauthorized: "unauthorized",
  forbidden: "forbidden",
  "not-found": "notFound",
  conflict: "conflict",
  "rate-limit": "rateLimit",
  unavailable: "unavailable",
  internal: "internal",
};

export function problemNamed(slug: string): Known {
  return BY_SLUG[slug] ?? "other";
}
