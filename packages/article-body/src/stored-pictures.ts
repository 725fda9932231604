import { STORED_PICTURE_PREFIX } from "@feed/domain/article";
import { asId, type PictureId } from "@feed/domain/ids";

const STORED_PICTURE = new RegExp(
  `${STORED_PICTURE_PREFIX.replaceAll(".", "\\.")}([0-9a-f]{64})`,
  "g",
);

/**
 * Puts deliverable addresses in place of stored ones when a body, HTML or Markdown, is served
 * (spec 2.3).
 *
 * Replacing text is safe here because a stored address is of a fixed form and `addressOf` is the
 * service's own: it must give an address without spaces, quotes, backslashes, angle brackets and
 * parentheses.
 */
export function signStoredPictures(body: string, addressOf: (id: PictureId) => string): string {
  return body.replaceAll(STORED_PICTURE, (_, id: string) => addressOf(asId<PictureId>(id)));
}
