import { words } from "../../shared/language.ts";

export const OVERVIEW = words(
  {
    title: "Overview",
    lead: "What is used this month, and what to look at.",
    credits: "Credits this month",
    deliveries: "Requests by day",
    concerns: "To look at",
    calm: "Nothing needs you.",
    look: "Open",
    kinds: {
      suspended: () => "The tenant is suspended: its requests are refused.",
      "cap-reached": (cap: string) =>
        `The cap of ${cap} credits is reached: feeds and contents are refused.`,
      "cap-near": (cap: string) => `80 % of the cap of ${cap} credits, or more, is used.`,
      "over-plan": (over: string) => `${over} credits beyond the plan are billed.`,
      "no-key": () => "There is no live key: no backend can call the service.",
      "key-expires": (name: string) => `The key "${name}" expires within two weeks.`,
      "no-scenario": () => "No scenario is the default of feeds: each request has to name one.",
      "webhook-disabled": (reason: string) => `The webhook is disabled: ${reason}`,
      "deliveries-failed": (count: string) =>
        `Of the latest 20 webhook deliveries ${count} failed.`,
    },
  },
  {
    title: "概要",
    lead: "今月の使用状況と、確認が必要な事項です。",
    credits: "今月のクレジット",
    deliveries: "日別リクエスト数",
    concerns: "確認が必要な事項",
    calm: "対応が必要な事項はありません。",
    look: "開く",
    kinds: {
      suspended: () => "テナントは停止中です。リクエストは拒否されます。",
      "cap-reached": (cap: string) =>
        `上限の ${cap} クレジットに達しました。フィードと記事の取得は拒否されます。`,
      "cap-near": (cap: string) => `上限 ${cap} クレジットの 80% 以上を使用しています。`,
      "over-plan": (over: string) => `プランを超えた ${over} クレジットが請求されます。`,
      "no-key": () => "本番用の API キーがありません。バックエンドからサービスを呼び出せません。",
      "key-expires": (name: string) => `API キー「${name}」の有効期限が2週間以内に切れます。`,
      "no-scenario": () =>
        "フィードの既定シナリオがありません。リクエストごとにシナリオの指定が必要です。",
      "webhook-disabled": (reason: string) => `Webhook が無効になっています: ${reason}`,
      "deliveries-failed": (count: string) =>
        `直近20件の Webhook 配信のうち ${count} 件が失敗しました。`,
    },
  },
);
