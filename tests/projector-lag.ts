import { waitFor } from "@feed/test-kit";
import type { ExitedProcess } from "@feed/test-kit/service-process";

const PATIENCE = { timeoutMs: 180_000 };

interface Lag {
  readonly group: string;
  readonly topic: string;
  readonly lag_records: number;
  readonly lag_seconds: number;
}

type Feedctl = (...args: readonly string[]) => Promise<ExitedProcess>;

/** Partitions in which projections are behind the log. */
export async function behind(feedctl: Feedctl): Promise<readonly Lag[]> {
  const { code, stdout, stderr } = await feedctl("lag", "--json");
  if (code !== 0) throw new Error(`feedctl lag: ${stderr}`);
  const { groups } = JSON.parse(stdout) as { readonly groups: readonly Lag[] };
  return groups.filter(
    ({ group, lag_records }) => group.startsWith("projector.") && lag_records > 0,
  );
}

/** Resolves when everything that is in the log is projected. */
export function untilProjected(feedctl: Feedctl): Promise<void> {
  return waitFor(async () => (await behind(feedctl)).length === 0, PATIENCE);
}
