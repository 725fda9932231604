/** Zones of RFC 822 and those Japanese publishers write; `Date` knows the American ones and GMT. */
const ZONES: Readonly<Record<string, string>> = {
  JST: "+0900",
  KST: "+0900",
  CET: "+0100",
  CEST: "+0200",
  BST: "+0100",
  UT: "+0000",
  AEST: "+1000",
};
/** Nothing on the web is older. */
const TIME_MS_MIN = Date.UTC(1990, 0, 1);

/**
 * A time as feeds and pages write it: RFC 3339, RFC 822 and near misses, in milliseconds since the
 * epoch. Without a zone it is UTC. Undefined where it is no time.
 */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim().replace(/\b([A-Z]{2,4})$/, (zone) => ZONES[zone] ?? zone);
  // `Date` reads a date with a time and no zone as local time; publishers' machines are not ours.
  const hasZone = /(Z|[+-]\d{2}:?\d{2}|\b[A-Z]{2,4})$/i.test(trimmed) || !/\d:\d/.test(trimmed);
  const timeMs = Date.parse(
    hasZone ? trimmed : `${trimmed}${trimmed.includes(",") ? " GMT" : "Z"}`,
  );
  return Number.isFinite(timeMs) && timeMs >= TIME_MS_MIN ? timeMs : undefined;
}
