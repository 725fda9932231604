/**
 * How often a kill test kills: as often as it usually does, times KILL_FACTOR. A long run takes
 * `KILL_FACTOR=10 npm test -- kill durability`; their time limits are counted by round.
 */
export function killRounds(usual: number): number {
  return usual * Number(process.env["KILL_FACTOR"] ?? 1);
}
