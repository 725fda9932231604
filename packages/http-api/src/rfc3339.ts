const DATE = /(\d{4})-(\d{2})-(\d{2})/;
const TIME = /(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?/;
const OFFSET = /(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)/;
const TIMESTAMP = new RegExp(`^${DATE.source}[Tt]${TIME.source}${OFFSET.source}$`);

/**
 * Milliseconds since the Unix epoch of an RFC 3339 timestamp with an offset, or undefined. Days that a
 * month does not have and leap seconds are refused.
 */
export function parseRfc3339(text: string): number | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match.map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (month < 1 || month > 12 || day < 1) return undefined;
  if (day > 28 && day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate())
    return undefined;
  const atMs = Date.parse(text.toUpperCase());
  return Number.isFinite(atMs) ? atMs : undefined;
}
