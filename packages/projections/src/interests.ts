import type { BehaviourKind } from "@feed/domain/facts";
import type { ContentId } from "@feed/domain/ids";
import { INTERESTS_STORED_MAX } from "@feed/domain/limits";
import type { InterestMark } from "@feed/domain/user";

/** How much an event says about its content (architecture rule 6); absent kinds say nothing. */
const INTEREST_WEIGHTS: Readonly<Partial<Record<BehaviourKind, number>>> = {
  click: 1,
  share: 2,
  like: 3,
  dislike: -2,
};

/** Weight of an event's interest in its content, undefined where the event shows none. */
export function interestWeight(kind: BehaviourKind): number | undefined {
  return INTEREST_WEIGHTS[kind];
}

/**
 * The interests after one more event, in the order of the log: the content named last is last.
 *
 * A like or dislike is an opinion: the latest replaces what was known of the content. A click or share is a
 * sign: it renews the time, keeps the stronger weight, and does not undo a dislike. Above
 * INTERESTS_STORED_MAX the content longest not named goes.
 */
export function addInterest(
  interests: readonly InterestMark[],
  kind: BehaviourKind,
  contentId: ContentId,
  atMs: number,
): readonly InterestMark[] {
  const weight = interestWeight(kind);
  if (weight === undefined) return interests;
  const known = interests.find((mark) => mark.contentId === contentId);
  const isOpinion = kind === "like" || kind === "dislike";
  if (known !== undefined && known.weight < 0 && !isOpinion) return interests;
  const mark: InterestMark = {
    contentId,
    weight: known === undefined || isOpinion ? weight : Math.max(known.weight, weight),
    atMs: known === undefined ? atMs : Math.max(known.atMs, atMs),
  };
  const others =
    known === undefined ? interests : interests.filter((other) => other.contentId !== contentId);
  return [...others.slice(-(INTERESTS_STORED_MAX - 1)), mark];
}
