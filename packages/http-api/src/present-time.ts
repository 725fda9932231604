/** UTC with milliseconds (decisions, "HTTP in general"). */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
