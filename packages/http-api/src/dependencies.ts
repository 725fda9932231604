import type { ActivityStore } from "@feed/activity-store";
import type { Gazetteer } from "@feed/areas";
import type { ContentIndex } from "@feed/content-index";
import type { SourceDesk, SourceHealth } from "@feed/crawler";
import type { Source } from "@feed/domain/source";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import type { FeedService } from "@feed/feed/service";
import type { PushService } from "@feed/push";
import type { PersonalData } from "@feed/personal-data";
import type { ReadState } from "@feed/read-state/port";
import type { Clock, Logger } from "@feed/runtime";
import type { Keyring } from "@feed/signing";
import type { TenantDirectory } from "@feed/tenant-directory";
import type { Middleware } from "koa";
import type { Registry } from "prom-client";
import type { HttpApiSettings } from "./settings.ts";

/** What operators ask about sources. */
export interface SourceInspection {
  health(source: Source): SourceHealth;
  /** Opened when it is first asked for. */
  desk(): Promise<Pick<SourceDesk, "preview" | "isSelector">>;
}

/** Everything the API works with; opened and closed by whoever creates it. */
export interface HttpApiDependencies {
  readonly settings: HttpApiSettings;
  readonly clock: Clock;
  readonly log: Logger;
  /** Served at `/metrics`; other parts of the process register here too. */
  readonly metrics: Registry;
  readonly directory: TenantDirectory;
  readonly eventLog: EventLog;
  readonly readState: ReadState;
  readonly activityStore: Pick<ActivityStore, "listUsers" | "usageByDay">;
  readonly feed: FeedService;
  readonly push: PushService;
  readonly contentIndex: Pick<ContentIndex, "articles">;
  readonly sources: SourceInspection;
  readonly gazetteer: Pick<Gazetteer, "search">;
  readonly codec: Pick<FactCodec, "encode">;
  readonly personalData: Pick<PersonalData, "sealAll" | "forget">;
  readonly keyring: Pick<
    Keyring,
    "pseudonyms" | "verifyTrackingToken" | "sealCursor" | "openCursor"
  >;
  /** Handlers of further paths (pictures, downloads, the playground), asked before the API's own routes. */
  readonly mounts: readonly Middleware[];
  /** By name of a part: resolves when it can serve, rejects when not. Asked by `/readyz`. */
  readonly parts: ReadonlyMap<string, () => Promise<void>>;
}
