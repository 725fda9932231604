import { useLanguage, type Language } from "./language.ts";

/** Billing months are those of Tokyo, and so is every time the console shows. */
const TIME_ZONE = "Asia/Tokyo";

/** Numbers, money and times as they are written in a language. */
export interface Format {
  readonly number: (value: number) => string;
  readonly share: (value: number) => string;
  /** A share to a tenth of a percent. */
  readonly rate: (value: number) => string;
  /** A difference of shares in percentage points, with its sign and without the word. */
  readonly points: (value: number) => string;
  readonly money: (value: number, currency: string) => string;
  /** With minutes, in Japan's time, which it says. */
  readonly time: (iso: string) => string;
  readonly date: (iso: string) => string;
  readonly month: (month: string) => string;
  /** In the largest unit that there is at least one of, from seconds to days. */
  readonly duration: (ms: number) => string;
}

/** In the language the console is read in; the same functions each time. */
export function useFormat(): Format {
  return FORMATS[useLanguage()];
}

function formatFor(language: Language): Format {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  const rate = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const points = new Intl.NumberFormat(language, {
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  });
  const time = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: TIME_ZONE,
  });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: TIME_ZONE });
  const month = new Intl.DateTimeFormat(language, { year: "numeric", month: "long" });
  return {
    number: (value) => number.format(value),
    share: (value) => percent.format(value),
    rate: (value) => rate.format(value),
    points: (value) => points.format(value * 100),
    money: (value, currency) =>
      new Intl.NumberFormat(language, {
        style: "currency",
        currency,
        // A credit may cost a fraction of a currency's smallest coin.
        maximumFractionDigits: 6,
      }).format(value),
    time: (iso) => `${time.format(new Date(iso))} JST`,
    date: (iso) => date.format(new Date(iso)),
    duration: (ms) => durationText(ms, language),
    month: (text) => month.format(new Date(`${text}-15T00:00:00`)),
  };
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

function durationText(ms: number, language: Language): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms >= each) ?? UNITS[3];
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(ms / unitMs);
}

const FORMATS: Readonly<Record<Language, Format>> = { ja: formatFor("ja"), en: formatFor("en") };
