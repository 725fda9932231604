/**
 * Which names may stand in running text without their suffix, judged on news in Japanese and English.
 * Names in none of these lists count without suffix only when the text gives other evidence for their prefecture.
 */

const words = (list: string): ReadonlySet<string> =>
  new Set(list.split(/\s+/u).filter((word) => word !== ""));

/** Unmistakable without suffix: neither common words nor common family names. */
export const PLAIN_STEMS = words(`
  北海道 東京 大阪 京都 青森 岩手 埼玉 神奈川 新潟 富山 山梨 岐阜 静岡 愛知 兵庫 奈良 和歌山 鳥取
  島根 広島 徳島 愛媛 高知 福岡 佐賀 長崎 熊本 鹿児島 沖縄 茨城 栃木 群馬 札幌 函館 小樽 旭川 釧路
  帯広 稚内 富良野 弘前 八戸 盛岡 仙台 石巻 気仙沼 会津若松 いわき 宇都宮 つくば 高崎 前橋 さいたま
  所沢 横浜 相模原 横須賀 鎌倉 小田原 甲府 浜松 熱海 名古屋 豊橋 四日市 神戸 姫路
  西宮 尼崎 倉敷 下関 北九州 久留米 佐世保 別府 那覇 宮古島 八王子 吉祥寺 武蔵野 新宿 渋谷 池袋 原宿
  秋葉原 六本木 銀座 上野 浅草 恵比寿 代官山 表参道 下北沢 自由が丘 中目黒 二子玉川 高円寺 御茶ノ水
  神保町 有楽町 日比谷 新橋 汐留 品川 五反田 錦糸町 北千住 豊洲 築地 麻布十番 三軒茶屋 世田谷 江戸川
  練馬 杉並 みなとみらい 新横浜 武蔵小杉 梅田 難波 心斎橋 天王寺 淀屋橋 新大阪 三ノ宮 博多 天神 嵐山
  祇園四条 海浜幕張 舞浜 新千歳空港 成田空港
`);

/** Common words and names, or parts of them: only the form with the suffix is a place. */
export const SUFFIX_NEEDED_STEMS = words(`
  中央 大和 日光 さくら みどり あま むつ みよし えびの たつの 有明 東雲 青海 市場前 県庁前 大通 本町
  元町 大手町 台場 大門 大島 大山 山手 上町 小川町 学園前 学園都市 大橋 本山 伊達 日進 東海 青葉
  若葉 若林 清水 平野 平和島 平和台 昭和 大正 住吉 春日 千石 白山 落合 橋本 中村 中原 中川 今池 小林
  大村 三好 田村 村上 松原 大野 小野 太田 大田 高田 上田 飯田 岡本 菊川 坂井 桜井 池田 田原 中間
  島田 本庄 石岡 深谷 藤岡 富岡 長岡 大塚 森下 豊川 成瀬 中山 平井 篠崎 古河 古賀 菊池 小松 高山
  羽生 入間 朝倉 宮前 宮原 宮古 出水 合志 勝浦 勝山 長門 長井 福住 福津 高島 瑞穂 千種 千歳 八千代
  国分 石山 安芸 伊東 美馬 三原 竹原 竹田 桐生 北斗 雲仙 立花 南国 周南 海南 江南 湖南 土佐 阿波
  加賀 志摩 平川 滝川 深川 砂川 香取 相馬 相生 日向 稲荷 都庁前 国立 国立競技場 多磨 多摩 戸田 三田
  大崎 北野 高尾 高津 生田 登戸 布施 茅野 諏訪 亀田 吉原 青島 水島 児島 若松 黒崎 大久保 東山 玉名
  玉野 小平 大口 長田 長居 名取 角田 高砂 阿南 五島 美濃 越前 備前 豊前 筑後 飛騨 甲斐 淡路 天満
  京橋 木場 目白 駒込 川西 須磨 垂水 早稲田 白石 岩倉 高浜 六甲 富士山 岡谷 岡町 箱崎 門司 矢板
  王子 乃木坂 千川 千曲 不動前 後楽園 甲子園 ハーバーランド スペースワールド ユニバーサルシティ ハウステンボス
  大分 三重
`);

/** Prefectures and cities named like common families or words: without suffix they need a sign of place behind. */
export const FAMILY_NAME_STEMS = words(`
  山口 石川 福島 宮崎 宮城 千葉 長野 香川 秋田 福井 岡山 山形 滋賀 成田 立川 川口 市川 松本 高松
  明石 豊田 藤沢 小山 熊谷 富士 伊豆 伊勢 佐渡 今治 岩国 米子 赤羽 蒲田 大森 中野 板橋 赤坂 神田 川崎 岡崎 川越
`);

/** Cities that share a prefecture's name without being its seat: without suffix the prefecture is meant. */
export const PREFECTURE_ONLY_STEMS = words("沖縄 栃木 山梨");

/** What follows a name of a place, and hardly a person's. Longest first where one starts another. */
export const PLACE_FOLLOWERS: readonly string[] = [
  "市内",
  "県内",
  "都内",
  "府内",
  "駅前",
  "在住",
  "出身",
  "周辺",
  "近郊",
  "近辺",
  "方面",
  "地方",
  "地区",
  "地裁",
  "地検",
  "空港",
  "港",
  "発",
  "産",
  "行き",
  "支店",
  "本店",
  "店",
  "支社",
  "本社",
  "会場",
  "公演",
];

/** Characters behind a short name with suffix that continue it as a place: 区役所, 市内, 市立, 駅前. */
export const SUFFIX_FOLLOWERS: ReadonlySet<string> = new Set(
  "役内民長議立前発着在出周近方北南東西と及",
);

/** Romanised names that need no suffix in English text: not a family, company, sports star or common word. */
export const PLAIN_ROMANISED = words(`
  tokyo osaka kyoto hokkaido okinawa hiroshima nagasaki fukushima fukuoka sapporo yokohama nagoya
  sendai kanagawa saitama ibaraki shizuoka niigata hyogo kumamoto kagoshima aomori nagano kanazawa
  kamakura hakodate shibuya shinjuku harajuku akihabara roppongi ginza asakusa ikebukuro
  shimokitazawa kitakyushu hamamatsu utsunomiya matsuyama takamatsu okayama wakayama tokushima
  tottori shimane yamanashi tochigi gunma
`);

/** Romanised names that are English words, or known for something else first. */
export const SUFFIX_NEEDED_ROMANISED = words(`
  saga date mine tome toyota kobe kawasaki asahi mito hino sakura fuji hikari naruto toshima
  kobayashi nakamura suzuka hitachi matsumoto okamoto ikeda naka mihara sanda toride minato komatsu
  kashima osaki iwata tamura sagamihara ishikawa yamaguchi miyazaki chiba akita kagawa fukui
  yamagata miyagi hashimoto otsuka inari meguro tachibana katsuura mishima takeda murakami kanda
  ueno
`);

/** Plain names that are also family names: a person's, where a capitalised word other than these stands before. */
export const FAMILY_NAME_ROMANISED = words("osaka nagano");

/** Words that may be capitalised in front of a place, in headlines for instance. */
export const WORDS_BEFORE_PLACES = words(
  "in at to from of near around the for and via visit western central",
);
