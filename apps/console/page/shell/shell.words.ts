import { words } from "../shared/language.ts";

export const SHELL = words(
  {
    skip: "Skip to the content",
    product: "Content Feed",
    navigation: "Screens",
    tenant: "Tenant",
    suspended: "suspended",
    language: "日本語",
    theme: "Colours",
    themes: { system: "System", light: "Light", dark: "Dark" },
    signOut: "Sign out",
    menu: "Menu",
    docs: "Documentation",
    unknown: "There is no such screen.",
    signIn: "Sign in",
    email: "E-mail address",
    password: "Password",
    linkHint:
      "New here, or the password forgotten? Ask your administrator, or whoever runs the service (feedctl admin link), for a sign-in link.",
    or: "or",
    signInWith: (name: string) => `Sign in with ${name}`,
    signedOut: {
      ended: "Your session has ended. Sign in again.",
      "link-used":
        "This link has been used, or is older than 24 hours. Ask for another, or sign in with a password.",
      expired:
        "This sign-in was begun in another browser or more than 10 minutes ago, or it was finished before. Sign in again.",
      refused: "You did not agree that the provider tells who you are. Nobody was signed in.",
      unverified:
        "The provider has not verified your e-mail address. Have it verified there, or sign in with a password.",
      "no-access":
        "Nobody with access here has this account. Ask your administrator to add you, by the e-mail address that you have at the provider.",
      "not-accepted":
        "The provider's answer was not accepted. Sign in again; if it stays, tell whoever runs the service.",
      away: "The provider, or a part of the service, can't be reached at the moment. Try again later, or sign in with a password.",
    },
    wrong: "The e-mail address or the password is wrong.",
    roles: {
      operator: "Operator",
      tenant_admin: "Administrator",
      editor: "Editor",
      viewer: "Viewer",
    },
  },
  {
    skip: "本文へ移動",
    product: "Content Feed",
    navigation: "画面",
    tenant: "テナント",
    suspended: "停止中",
    language: "English",
    theme: "配色",
    themes: { system: "システム", light: "ライト", dark: "ダーク" },
    signOut: "サインアウト",
    menu: "メニュー",
    docs: "ドキュメント",
    unknown: "この画面はありません。",
    signIn: "サインイン",
    email: "メールアドレス",
    password: "パスワード",
    linkHint:
      "初めての方、パスワードをお忘れの方は、管理者またはサービスの運用者（feedctl admin link）にサインイン用リンクを依頼してください。",
    or: "または",
    signInWith: (name: string) => `${name} でサインイン`,
    signedOut: {
      ended: "セッションが終了しました。もう一度サインインしてください。",
      "link-used":
        "このリンクは使用済みか、発行から24時間が過ぎています。新しいリンクを依頼するか、パスワードでサインインしてください。",
      expired:
        "このサインインは別のブラウザで始められたか、開始から10分が過ぎたか、すでに完了しています。もう一度サインインしてください。",
      refused: "本人情報の提供に同意されなかったため、サインインしていません。",
      unverified:
        "プロバイダーでメールアドレスが確認されていません。プロバイダーで確認を済ませるか、パスワードでサインインしてください。",
      "no-access":
        "このアカウントには利用権限がありません。プロバイダーで使用しているメールアドレスでの追加を、管理者に依頼してください。",
      "not-accepted":
        "プロバイダーの応答を受け付けられませんでした。もう一度サインインし、解決しない場合はサービスの運用者に連絡してください。",
      away: "プロバイダーまたはサービスの一部に接続できません。しばらくしてから再試行するか、パスワードでサインインしてください。",
    },
    wrong: "メールアドレスまたはパスワードが違います。",
    roles: {
      operator: "オペレーター",
      tenant_admin: "管理者",
      editor: "編集者",
      viewer: "閲覧者",
    },
  },
);
