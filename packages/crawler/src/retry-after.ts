/**
 * The pause a `Retry-After` field asks for, in seconds or as a date (RFC 9110, 10.2.3); undefined
 * where it says none.
 */
export function retryAfterMs(field: string | undefined, nowMs: number): number | undefined {
  if (field === undefined) return undefined;
  if (/^\d{1,9}$/.test(field.trim())) return Number(field) * 1_000;
  const untilMs = Date.parse(field);
  return Number.isFinite(untilMs) ? Math.max(0, untilMs - nowMs) : undefined;
}
