import type { ActivityStore } from "@feed/activity-store";
import type { Gazetteer } from "@feed/areas";
import type { ContentIndex } from "@feed/content-index";
import type { SourceDesk, SourceHealth } from "@feed/crawler";
import type { ReadModelVersions } from "@feed/domain/read-models";
import type { Rebuild } from "@feed/domain/rebuilds";
import type { Source } from "@feed/domain/source";
import type { FactCodec } from "@feed/event-codec";
import type { EventLog } from "@feed/event-log";
import type { OpenIdProvider } from "@feed/openid/port";
import type { FeedService } from "@feed/feed/service";
import type { PushService } from "@feed/push";
import type { PersonalData } from "@feed/personal-data";
import type { ReadState } from "@feed/read-state/port";
import type { Clock, Logger } from "@feed/runtime";
import type { Keyring } from "@feed/signing";
import type { TenantDirectory } from "@feed/tenant-directory";
import type { WebhookService } from "@feed/webhooks";
import type { Middleware } from "koa";
import type { Registry } from "prom-client";
import type { HttpApiSettings } from "./settings.ts";

/** What operators ask about sources. */
export interface SourceInspection {
  health(source: Source): SourceHealth;
  /** Opened when it is first asked for. */
  desk(): Promise<Pick<SourceDesk, "preview" | "isSelector">>;
}

/** Where a consumer group stands in one partition. */
export interface ConsumerLag {
  readonly group: string;
  readonly topic: string;
  readonly endOffset: number;
  readonly lagRecords: number;
  /** Age of the oldest record that was not processed yet; 0 where there is none. */
  readonly lagMs: number;
}

/** What came of a replay: the worst that one of its projections said, or that one said nothing in time. */
export interface LetterReplaySeen {
  readonly outcome: "effective" | "refused" | "overtaken" | "unanswered";
  /** Which says so; absent where all took it. */
  readonly projection?: string;
  /** Why it refuses the record. */
  readonly reason?: string;
}

/** A record that a consumer gave up, without its bytes. */
export interface DeadLetterSeen {
  readonly id: number;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly stage: string;
  readonly reason: string;
  readonly atMs: number;
  readonly bytes: number;
  /** Why the latest replay left it open; absent: there was none. */
  readonly refusedReplay?: {
    readonly outcome: "refused" | "overtaken";
    readonly projection: string;
    readonly reason: string;
    readonly atMs: number;
  };
  /** Absent: nobody has done anything about it. */
  readonly settled?: {
    readonly outcome: "replayed" | "discarded";
    readonly note: string;
    readonly actor: string;
    readonly atMs: number;
  };
}

/** What operators ask about the installation as a whole. Errors: those of the log. */
export interface InstallationInspection {
  lags(): Promise<readonly ConsumerLag[]>;
  readModels(): readonly (ReadModelVersions & { readonly name: string })[];
  /** The latest, oldest first. */
  rebuilds(): readonly Rebuild[];
  /** Oldest first. */
  deadLetters(): Promise<readonly DeadLetterSeen[]>;
  /** Resolves when it is durable. @throws RangeError where there is no such letter. */
  discard(
    id: number,
    settlement: { readonly note: string; readonly actor: string; readonly atMs: number },
  ): Promise<void>;
  /**
   * Asks projectors to take a letter's record once more; the letter is settled where all did. Resolves within seconds.
   * @throws RangeError where there is no such letter.
   */
  replay(
    id: number,
    asking: { readonly actor: string; readonly atMs: number },
  ): Promise<LetterReplaySeen>;
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
  readonly activityStore: Pick<ActivityStore, "listUsers" | "usageByDay" | "experimentArms">;
  readonly feed: FeedService;
  readonly push: PushService;
  readonly webhooks: WebhookService;
  readonly contentIndex: Pick<ContentIndex, "articles">;
  readonly sources: SourceInspection;
  readonly operations: InstallationInspection;
  readonly gazetteer: Pick<Gazetteer, "search">;
  readonly codec: FactCodec;
  readonly personalData: Pick<PersonalData, "sealAll">;
  readonly keyring: Pick<
    Keyring,
    | "pseudonyms"
    | "verifyTrackingToken"
    | "sealCursor"
    | "openCursor"
    | "peopleKey"
    | "personRefKey"
    | "identityRefKey"
    | "signInKey"
  >;
  /** Who people may sign in through beside their passwords; absent: nobody. */
  readonly openId?: OpenIdProvider;
  /** Handlers of further paths (pictures, downloads, the playground), asked before the API's own routes. */
  readonly mounts: readonly Middleware[];
  /** By name of a part: resolves when it can serve, rejects when not. Asked by `/readyz`. */
  readonly parts: ReadonlyMap<string, () => Promise<void>>;
}
