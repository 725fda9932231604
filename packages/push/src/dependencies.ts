import type { ActivityStore } from "@feed/activity-store";
import type { Gazetteer } from "@feed/areas";
import type { ContentIndex } from "@feed/content-index";
import type { Embedder } from "@feed/embedder";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import type { PictureAddresses } from "@feed/feed";
import type { ObjectStore } from "@feed/object-store";
import type { ReadState } from "@feed/read-state";
import type { Clock, Logger } from "@feed/runtime";
import type { Keyring } from "@feed/signing";
import type { TenantDirectory } from "@feed/tenant-directory";

/** What every part of push works with; opened and closed by whoever starts it. */
export interface PushDependencies {
  readonly eventLog: EventLog;
  readonly codec: FactCodec;
  readonly readState: ReadState;
  readonly activityStore: Pick<ActivityStore, "audience" | "engagement" | "positions">;
  readonly objectStore: ObjectStore;
  readonly contentIndex: ContentIndex;
  readonly directory: TenantDirectory;
  readonly keyring: Pick<Keyring, "pseudonyms" | "trackingTokenSigner">;
  readonly gazetteer: Gazetteer;
  readonly embedder: Embedder;
  readonly pictures: Pick<PictureAddresses, "thumbnail">;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a request waits until its job is seen; READ_YOUR_WRITES_TIMEOUT_MS when omitted. */
  readonly readYourWritesMs?: number;
}
