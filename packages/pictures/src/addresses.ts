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
import { lookOf } from "./placeholder.ts";
import { thumbnailSize, type PictureCut } from "./size.ts";

/** What a signed picture address asks for. */
export type PictureRequest =
  | { readonly kind: PictureCut; readonly id: PictureId; readonly width: PictureWidth }
  | { readonly kind: "placeholder"; readonly sourceId: SourceId; readonly width: PictureWidth };

const PICTURE_ID = /^[0-9a-f]{64}$/;

/**
 * Addresses `/pictures/<signature>/<kind>/<id>/<width>`, those of placeholders with what they show. They don't expire but end when the signing key has
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
          `placeholder/${encodeURIComponent(source.sourceId)}/${THUMBNAIL_WIDTH}/${lookOf(source)}`,
        );
        return { url, ...PLACEHOLDER_SIZE };
      }
      const url = addressOf(`thumbnail/${picture.id}/${THUMBNAIL_WIDTH}`);
      return { url, ...thumbnailSize(picture, THUMBNAIL_WIDTH) };
    },

    bodyPicture: (id: PictureId): string => addressOf(`picture/${id}/${BODY_PICTURE_WIDTH}`),

    /** The request behind a path after `/pictures/`; undefined unless its signature is valid. */
    verify(signature: string, path: string): PictureRequest | undefined {
      if (deps.keyring.verifyPath("picture", path, signature) !== "valid") return undefined;
      const [kind, id = "", widthText] = path.split("/");
      const width = PICTURE_WIDTHS.find((known) => String(known) === widthText);
      if (width === undefined) return undefined;
      if (kind === "picture" || kind === "thumbnail") {
        return PICTURE_ID.test(id) ? { kind, id: asId<PictureId>(id), width } : undefined;
      }
      if (kind === "placeholder")
        return { kind, sourceId: asId<SourceId>(decodeURIComponent(id)), width };
      return undefined;
    },
  };
}

export type PictureAddressBook = ReturnType<typeof createPictureAddresses>;
