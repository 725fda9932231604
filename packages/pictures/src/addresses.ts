import type { PictureRef } from "@feed/domain/article";
import { asId, type ContentId, type PictureId, type SourceId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { Keyring } from "@feed/signing";
import {
  BODY_PICTURE_WIDTH,
  PICTURE_WIDTHS,
  PLACEHOLDER_SIZE,
  THUMBNAIL_WIDTH,
  type PictureWidth,
} from "./limits.ts";

/** What a signed picture address asks for. */
export type PictureRequest =
  | { readonly kind: "picture"; readonly id: PictureId; readonly width: PictureWidth }
  | { readonly kind: "placeholder"; readonly sourceId: SourceId; readonly width: PictureWidth };

const PICTURE_ID = /^[0-9a-f]{64}$/;

/**
 * Addresses `/pictures/<signature>/<kind>/<id>/<width>`. They don't expire but end when the signing key has
 * rotated twice (spec 2.3): read them from the latest response.
 */
export function createPictureAddresses(deps: {
  readonly keyring: Pick<Keyring, "signPath" | "verifyPath">;
  readonly baseUrl: () => string;
}) {
  const addressOf = (path: string): string =>
    `${deps.baseUrl()}/pictures/${deps.keyring.signPath("picture", path, null)}/${path}`;
  return {
    thumbnail(
      article: { readonly contentId: ContentId; readonly thumbnail?: PictureRef },
      source: Source,
    ): { readonly url: string; readonly width: number; readonly height: number } {
      const picture = article.thumbnail;
      if (picture === undefined) {
        const url = addressOf(
          `placeholder/${encodeURIComponent(source.sourceId)}/${THUMBNAIL_WIDTH}`,
        );
        return { url, ...PLACEHOLDER_SIZE };
      }
      const width = Math.min(picture.width, THUMBNAIL_WIDTH);
      const height = Math.max(1, Math.round((picture.height * width) / picture.width));
      return { url: addressOf(`picture/${picture.id}/${THUMBNAIL_WIDTH}`), width, height };
    },

    bodyPicture: (id: PictureId): string => addressOf(`picture/${id}/${BODY_PICTURE_WIDTH}`),

    /** The request behind a path after `/pictures/`; undefined unless its signature is valid. */
    verify(signature: string, path: string): PictureRequest | undefined {
      if (deps.keyring.verifyPath("picture", path, signature) !== "valid") return undefined;
      const [kind, id = "", widthText] = path.split("/");
      const width = PICTURE_WIDTHS.find((known) => String(known) === widthText);
      if (width === undefined) return undefined;
      if (kind === "picture" && PICTURE_ID.test(id))
        return { kind, id: asId<PictureId>(id), width };
      if (kind === "placeholder")
        return { kind, sourceId: asId<SourceId>(decodeURIComponent(id)), width };
      return undefined;
    },
  };
}

export type PictureAddressBook = ReturnType<typeof createPictureAddresses>;
