const DATE = /\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;
const TIME = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?/;
const OFFSET = /(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)/;
const TIMESTAMP = new RegExp(`^${DATE.source}[Tt]${TIME.source}${OFFSET.source}$`);
const DAYS_IN_EVERY_MONTH = 28;

/**
 * Milliseconds since the Unix epoch of an RFC 3339 timestamp with an offset, or undefined. Days that a
 * month does not have and leap seconds are refused.
 */
export function parseRfc3339(text: string): number | undefined {
  if (!TIMESTAMP.test(text)) return undefined;
  const day = Number(text.slice(8, 10));
  if (day > DAYS_IN_EVERY_MONTH && day > daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7))))
    return undefined;
  const atMs = Date.parse(text.toUpperCase());
  return Number.isFinite(atMs) ? atMs : undefined;
}

/** `month` from 1. */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}
