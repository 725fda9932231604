import type { Category } from "@feed/domain/article";

/** What publishers call their sections, in feeds and in addresses, folded; both languages. */
const LABELS: Readonly<Partial<Record<Category, string>>> = {
  politics: `
    politics|political|election|elections|government|policy|政治|選挙|国政|行政|国会`,
  business: `
    business|economy|economics|finance|markets|money|companies|industry|economic|経済|
    ビジネス|マネー|金融|企業|産業|株式|経営`,
  world: `
    world|world news|international|global|europe|asia|africa|americas|middle east|
    foreign|国際|海外|世界|ワールド|中国|韓国`,
  society: `
    society|national|domestic|u.s. news|us news|us|uk|local|crime|education|law|
    social|社会|国内|地域|地方|事件|事件・事故|教育|くらし・教育`,
  technology: `
    technology|tech|it|gadgets|gadget|mobile|internet|computers|computing|ai|
    digital|software|security|テクノロジー|デジタル|ガジェット|家電|モバイル|スマートフォン|インターネット|技術|it・科学`,
  science: `
    science|space|environment|climate|nature|energy|科学|サイエンス|環境|宇宙|自然|気象`,
  health: `
    health|wellness|medicine|medical|healthcare|fitness|健康|医療|ヘルス|ヘルスケア|ヘルシーリビング`,
  sports: `
    sports|sport|football|baseball|soccer|tennis|golf|basketball|olympics|スポーツ|野球|
    サッカー|ゴルフ|テニス|相撲|競馬|五輪`,
  entertainment: `
    entertainment|movies|movie|film|music|tv|television|celebrity|celebrities|games|
    gaming|comedy|エンタメ|エンターテインメント|芸能|映画|音楽|アニメ|ゲーム|テレビ|漫画|マンガ`,
  culture: `
    culture|culture & arts|arts|art|books|book|history|religion|theater|museums|
    design|文化|カルチャー|アート|芸術|本|書評|歴史|読書|学芸`,
  food: `
    food|food & drink|recipes|recipe|cooking|dining|restaurants|グルメ|料理|食|レシピ|フード|飲食`,
  travel: `
    travel|tourism|destinations|hotels|outdoors|旅行|観光|トラベル|旅|おでかけ|鉄道`,
  lifestyle: `
    lifestyle|life|style|style & beauty|fashion|beauty|home|home & living|family|
    parenting|relationships|weddings|living|women|ライフ|ライフスタイル|生活|暮らし|くらし|ファッション|美容|
    恋愛|結婚|子育て|女性|住まい|ペット`,
};

const categoryByLabel = new Map(
  Object.entries(LABELS).flatMap(([category, labels]) =>
    labels.split("|").map((label) => [label.trim(), category as Category] as const),
  ),
);

/** The category a publisher's own label names, if it names one. */
export function categoryOfLabel(label: string): Category | undefined {
  return categoryByLabel.get(label.normalize("NFKC").trim().toLowerCase());
}

/** Categories named by the sections in an address: `/news/sports/2026/a.html`. */
export function categoriesOfUrl(url: string): readonly Category[] {
  const path = URL.parse(url)?.pathname ?? "";
  // The last part names the article, not a section.
  const sections = path.split("/").slice(0, -1);
  return sections.flatMap((section) => categoryOfLabel(section.replaceAll("-", " ")) ?? []);
}
