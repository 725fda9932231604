import { READ_MODELS } from "@feed/domain/read-models";
import type { Core, VersionsFollower } from "@feed/engines";
import type { InstallationInspection } from "@feed/http-api";
import { groupLags } from "@feed/projector";
import { readLetters, settleLetter, type Letter } from "@feed/projector/dead-letters/letters";
import { askForReplay } from "@feed/projector/dead-letters/replay-requests";
import type { Clock } from "@feed/runtime";
import { followedTopics } from "../followed.ts";

const NEVER = new AbortController().signal;

/** What the API tells operators of the installation: as `feedctl lag` and `feedctl dead-letters` say it. */
export function inspectInstallation(
  log: Pick<Core, "eventLog" | "codec">,
  {
    versions,
    clock,
  }: { readonly versions: Pick<VersionsFollower, "of" | "rebuilds">; readonly clock: Clock },
): InstallationInspection {
  const letterOf = async (id: number): Promise<Letter> => {
    const letter = (await readLetters(log)).find((each) => each.id === id);
    if (letter === undefined) throw new RangeError(`there is no dead letter ${id}`);
    return letter;
  };
  return {
    lags: () => groupLags(log.eventLog, followedTopics(versions), clock.nowMs()),
    readModels: () => READ_MODELS.map((name) => ({ name, ...versions.of(name) })),
    rebuilds: () => versions.rebuilds(),
    deadLetters: () => readLetters(log),
    async discard(id, settlement) {
      await settleLetter(log, await letterOf(id), { outcome: "discarded", ...settlement });
    },
    replay: async (id, asking) =>
      askForReplay(log, await letterOf(id), { ...asking, signal: NEVER }),
  };
}
