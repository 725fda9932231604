import type { Gazetteer } from "@feed/areas";
import type { ActivityStore } from "@feed/activity-store";
import type { PictureRef } from "@feed/domain/article";
import type { DeliveryFact } from "@feed/domain/facts";
import type { ContentId, PictureId } from "@feed/domain/ids";
import type { Source } from "@feed/domain/source";
import type { ContentIndex } from "@feed/content-index";
import type { Embedder } from "@feed/embedder";
import type { EventLog } from "@feed/event-log";
import type { ReadState } from "@feed/read-state";
import type { Keyring } from "@feed/signing";
import type { TenantDirectory } from "@feed/tenant-directory";
import type { Thumbnail } from "./service.ts";

/** Signed addresses under which pictures are delivered. */
export interface PictureAddresses {
  /** The article's picture, or the placeholder generated for it: never nothing (decisions, "Feed"). */
  thumbnail(
    article: { readonly contentId: ContentId; readonly thumbnail?: PictureRef },
    source: Source,
  ): Thumbnail;
  /** A picture inside a body (spec 2.3). */
  bodyPicture(pictureId: PictureId): string;
}

export interface FeedDependencies {
  readonly eventLog: Pick<EventLog, "append">;
  readonly codec: { encode(fact: DeliveryFact): Uint8Array };
  readonly contentIndex: ContentIndex;
  readonly readState: ReadState;
  readonly activityStore: Pick<ActivityStore, "engagement">;
  readonly directory: TenantDirectory;
  readonly keyring: Pick<
    Keyring,
    "pseudonyms" | "trackingTokenSigner" | "sealCursor" | "openCursor"
  >;
  readonly gazetteer: Gazetteer;
  readonly embedder: Embedder;
  readonly pictures: PictureAddresses;
  /** Told when an answer went out unrecorded and free because the log was away. */
  readonly onUnrecorded: (error: unknown) => void;
  /** Told when popularity could not be refreshed; feeds go on with what was known. */
  readonly onEngagementStale: (error: unknown) => void;
}
