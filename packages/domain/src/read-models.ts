import type { ReadModelChanged } from "./operating-facts.ts";

/** What is computed from the log and can be built anew beside what is there. */
export const READ_MODELS = ["content-index", "read-state", "activity-store"] as const;
export type ReadModel = (typeof READ_MODELS)[number];

/**
 * `kept`: projectors keep the version up to the log. `live`: so, and readers answer from it; the version that was live
 * before stays kept. `dropped`: nobody touches it any more.
 */
export type ReadModelState = "kept" | "live" | "dropped";

/** The versions of one read model, as the facts so far say. */
export interface ReadModelVersions {
  /** What readers answer from. */
  readonly live: number;
  /** What projectors keep up to the log; the live one is among them. */
  readonly kept: readonly number[];
  /** What was live before, as long as it is kept: where a roll back goes. */
  readonly previous: number | undefined;
  /** The highest that there ever was: numbers are not used again. */
  readonly highest: number;
}

/** Before anything was rebuilt: the version that projectors make where there is none. */
export const FIRST_VERSIONS: ReadModelVersions = {
  live: 1,
  kept: [1],
  previous: undefined,
  highest: 1,
};

/** The versions after one more fact. What can't be, such as dropping the live version, changes nothing. */
export function versionsAfter(
  versions: ReadModelVersions,
  { version, state }: Pick<ReadModelChanged, "version" | "state">,
): ReadModelVersions {
  const highest = Math.max(versions.highest, version);
  const { live, previous } = versions;
  const others = versions.kept.filter((kept) => kept !== version);
  const withIt = [...others, version].toSorted((one, other) => one - other);
  if (version === live) return versions;
  switch (state) {
    case "kept":
      return { ...versions, kept: withIt, highest };
    case "live":
      return { live: version, kept: withIt, previous: live, highest };
    case "dropped":
      return {
        live,
        kept: others,
        previous: previous === version ? undefined : previous,
        highest,
      };
  }
}
