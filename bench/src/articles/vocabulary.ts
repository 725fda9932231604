import type { Category } from "@feed/domain/article";

interface Words {
  readonly en: readonly string[];
  readonly ja: readonly string[];
}

const words = (en: string, ja: string): Words => ({ en: en.split(" "), ja: ja.split(" ") });

/** What articles of a category speak of: enough that related ones share words and others do not. */
export const TOPIC_WORDS: Readonly<Record<Category, Words>> = {
  politics: words(
    "parliament minister ballot coalition cabinet senator treaty referendum policy mayor opposition budget amendment campaign governor vote party reform speaker diplomat committee lawmaker election ambassador",
    "国会 首相 選挙 連立 内閣 議員 条約 住民投票 政策 市長 野党 予算案 改正 遊説 知事 投票 与党 改革 議長 外交官 委員会 法案 公約 大使",
  ),
  business: words(
    "earnings shareholder merger startup inflation exporter factory retailer investor dividend supplier revenue currency logistics bank bond payroll acquisition tariff warehouse contract market quarter forecast",
    "決算 株主 合併 起業 物価 輸出 工場 小売 投資家 配当 取引先 売上高 為替 物流 銀行 債券 賃上げ 買収 関税 倉庫 契約 市場 四半期 業績予想",
  ),
  world: words(
    "border refugee summit ceasefire embassy sanctions convoy republic monarchy pipeline strait delegation alliance capital region uprising peacekeeper airlift province envoy accord frontier relief exile",
    "国境 難民 首脳会談 停戦 大使館 制裁 支援団 共和国 王室 送油管 海峡 代表団 同盟 首都 紛争 抗議 平和維持 空輸 自治州 特使 合意 前線 救援 亡命",
  ),
  society: words(
    "school nursery pension volunteer court neighbourhood police housing childcare graduation shelter union verdict census resident welfare teacher petition crossing evacuation storm festival fireman caregiver",
    "学校 保育園 年金 ボランティア 裁判 町内会 警察 住宅 子育て 卒業式 避難所 労組 判決 国勢調査 住民 福祉 教員 署名 横断歩道 避難 台風 祭り 消防 介護",
  ),
  technology: words(
    "smartphone processor software battery robot database browser encryption satellite sensor cloud chipset developer algorithm drone headset keyboard network startup update server interface tablet firmware",
    "スマートフォン 半導体 ソフトウェア 電池 ロボット データベース ブラウザ 暗号 衛星 センサー クラウド 基板 開発者 アルゴリズム ドローン ヘッドセット キーボード 通信網 更新 サーバー 画面 タブレット 充電器 端末",
  ),
  science: words(
    "telescope genome fossil particle glacier laboratory molecule orbit enzyme earthquake species neuron asteroid experiment microscope isotope coral volcano hypothesis vaccine galaxy protein seabed magnet",
    "望遠鏡 遺伝子 化石 素粒子 氷河 研究室 分子 軌道 酵素 地震 新種 神経細胞 小惑星 実験 顕微鏡 同位体 珊瑚 火山 仮説 観測 銀河 たんぱく質 海底 磁石",
  ),
  health: words(
    "hospital patient nurse diagnosis surgery sleep diet allergy therapy clinic symptom infection posture cholesterol pharmacy dentist fatigue vitamin screening recovery insulin pollen stress exercise",
    "病院 患者 看護師 診断 手術 睡眠 食事療法 花粉症 治療 診療所 症状 感染 姿勢 血圧 薬局 歯科 疲労 栄養素 検診 回復 糖尿病 免疫 ストレス 運動",
  ),
  sports: words(
    "striker goalkeeper inning pitcher marathon coach penalty tournament stadium sprint defender medal league rally champion quarterback relay referee scoreboard transfer hurdle swimmer wrestler playoff",
    "先発 投手 本塁打 監督 決勝 代表戦 大会 競技場 延長戦 守備 金メダル 首位 逆転 王者 移籍 駅伝 審判 得点 優勝 横綱 捕手 水泳 柔道 完封",
  ),
  entertainment: words(
    "actor premiere album concert sitcom director trailer singer celebrity episode soundtrack comedian audition streaming sequel chart studio drama role guitarist fandom release talkshow encore",
    "俳優 公開初日 アルバム 公演 連続ドラマ 監督作 予告編 歌手 芸能人 最終回 主題歌 芸人 オーディション 配信 続編 音楽番組 撮影 主演 声優 舞台挨拶 ファン 新曲 司会 映画祭",
  ),
  culture: words(
    "museum novelist exhibition sculpture temple manuscript theatre kimono painter poetry archive calligraphy heritage gallery pottery architect opera folklore library printmaker shrine dancer critic restoration",
    "美術館 小説家 展覧会 彫刻 寺院 古文書 劇場 着物 画家 俳句 資料館 書道 文化財 画廊 陶芸 建築家 能楽 民話 図書館 浮世絵 神社 舞踊 評論 修復",
  ),
  food: words(
    "noodle bakery recipe chef harvest soybean tasting vineyard seafood dessert vegetable broth pastry fermentation orchard butcher seasoning dumpling cafe teahouse mushroom grill menu spice",
    "ラーメン パン屋 レシピ 料理長 収穫 大豆 試食 日本酒 魚介 和菓子 野菜 出汁 焼き菓子 発酵 果樹園 精肉 調味料 餃子 喫茶店 抹茶 きのこ 炭火 献立 香辛料",
  ),
  travel: words(
    "airport luggage itinerary railway hostel beach passport cruise sightseeing ropeway campsite souvenir timetable ferry backpack trail guesthouse boarding resort overlook hotspring pilgrimage terminal coast",
    "空港 荷物 旅程 鉄道 宿泊 海岸 旅券 船旅 観光 ロープウェイ キャンプ場 土産 時刻表 フェリー 登山 散策路 民宿 搭乗 温泉街 展望台 露天風呂 巡礼 終着駅 絶景",
  ),
  lifestyle: words(
    "wardrobe houseplant budgeting skincare interior hobby decluttering gardening wedding pet knitting fragrance minimalism yoga commute furniture haircut laundry diary sneaker cushion candle playlist mindfulness",
    "衣替え 観葉植物 家計簿 肌の手入れ 内装 趣味 片付け 家庭菜園 結婚式 飼い猫 編み物 香り 収納 ヨガ 通勤 家具 髪型 洗濯 日記 靴 寝具 ろうそく 音楽 休息",
  ),
  other: words(
    "notice lottery horoscope anniversary puzzle calendar reader letter correction weather almanac quiz announcement bulletin column survey giveaway trivia index summary digest memo outlook list",
    "お知らせ 抽選 占い 記念日 謎解き 暦 読者 投書 訂正 天気 豆知識 クイズ 告知 掲示板 寄稿 アンケート 応募 雑学 索引 要約 週報 覚え書き 見通し 一覧",
  ),
};

export const PLACES: Words = words(
  "Northport Eastvale Kingsbridge Millbrook Harrowgate Ashford Lindenau Redcliff Oakhaven Fairmont Stonebury Westmere",
  "北港市 東谷町 橋本市 水車村 白浜町 灰原市 菩提樹台 赤崖市 樫森町 晴山市 石塚村 西湖市",
);

export const PEOPLE: Words = words(
  "Arden Bellamy Castell Dorian Everly Fenwick Garrick Hollis Ingram Jessop Kendrick Lorimer",
  "青柳さん 別所さん 柏木さん 土井さん 江藤さん 福永さん 我妻さん 堀内さん 石橋さん 城島さん 久我さん 森下さん",
);
