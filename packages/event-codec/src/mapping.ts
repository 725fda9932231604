import type { Embedding } from "@feed/domain/article";
import type { StoredFact } from "@feed/domain/facts";
import type { ScenarioSettings } from "@feed/domain/scenario";

export type FactType = StoredFact["type"];
export type FactOf<Type extends FactType> = Extract<StoredFact, { readonly type: Type }>;

/** How a fact lies in its Avro record. The writer ignores `type` and takes undefined as the default, null. */
export interface FactMapping {
  /** Full Avro name. */
  readonly record: string;
  readonly toWire: (fact: StoredFact) => object;
  readonly fromWire: (wire: unknown) => StoredFact;
}

type Wire<Type extends FactType> = Omit<FactOf<Type>, "type">;

/** Optional fields are null on the wire and absent in the code. */
type WithNulls<Fields, Optional extends keyof Fields> = Omit<Fields, Optional> & {
  readonly [Name in Optional]-?: NonNullable<Fields[Name]> | null;
};

interface MappingParts<Type extends FactType, Wired> {
  readonly toWire?: (fact: FactOf<Type>) => object;
  readonly fromWire?: (wire: Wired) => FactOf<Type>;
}

/** The one place that says wire values have the shape of their schema: the decoder has checked it. */
function mapping<Type extends FactType, Wired = Wire<Type>>(
  type: Type,
  record: string,
  parts: MappingParts<Type, Wired> = {},
): FactMapping {
  return {
    record: `feed.events.${record}`,
    toWire: (parts.toWire ?? ((fact: object) => fact)) as FactMapping["toWire"],
    fromWire: (parts.fromWire ?? ((wire: Wired) => ({ type, ...wire }))) as FactMapping["fromWire"],
  };
}

type WireBehaviour = WithNulls<Wire<"behaviour.recorded">, "sessionRef" | "contentId" | "origin">;

const behaviourRecorded = mapping<"behaviour.recorded", WireBehaviour>(
  "behaviour.recorded",
  "BehaviourRecorded",
  {
    toWire: (fact) => ({
      ...fact,
      personal: { ...fact.personal, bytes: asBuffer(fact.personal.bytes) },
    }),
    fromWire: ({ sessionRef, contentId, origin, ...always }) => ({
      type: "behaviour.recorded",
      ...always,
      ...(sessionRef === null ? undefined : { sessionRef }),
      ...(contentId === null ? undefined : { contentId }),
      ...(origin === null ? undefined : { origin }),
    }),
  },
);

type WireArticle = Omit<
  WithNulls<FactOf<"article.published">["article"], "author" | "thumbnail">,
  "embedding"
> & { readonly embedding: { readonly model: string; readonly vector: Uint8Array } };

const articlePublished = mapping<"article.published", { readonly article: WireArticle }>(
  "article.published",
  "ArticlePublished",
  {
    toWire: ({ article }) => ({
      article: {
        ...article,
        embedding: { model: article.embedding.model, vector: bytesOfVector(article.embedding) },
      },
    }),
    fromWire: ({ article: { author, thumbnail, embedding, ...always } }) => ({
      type: "article.published",
      article: {
        ...always,
        analysedBy: { ...always.analysedBy },
        ...(author === null ? undefined : { author }),
        ...(thumbnail === null ? undefined : { thumbnail }),
        embedding: { model: embedding.model, vector: vectorOfBytes(embedding.vector) },
      },
    }),
  },
);

type WireScenario = Omit<Wire<"scenario.saved">, "settings"> & { readonly settings: string };

const scenarioSaved = mapping<"scenario.saved", WireScenario>("scenario.saved", "ScenarioSaved", {
  toWire: (fact) => ({ ...fact, settings: JSON.stringify(fact.settings) }),
  fromWire: ({ settings, ...always }) => ({
    type: "scenario.saved",
    ...always,
    settings: JSON.parse(settings) as ScenarioSettings,
  }),
});

type SourceOption =
  | "language"
  | "crawlIntervalMsMax"
  | "pausedReason"
  | "extraction"
  | "licenceNotes"
  | "recrawlFromMs"
  | "removed";
type WireSource = {
  readonly source: WithNulls<FactOf<"source.saved">["source"], SourceOption>;
} & Omit<Wire<"source.saved">, "source">;

const sourceSaved = mapping<"source.saved", WireSource>("source.saved", "SourceSaved", {
  fromWire: ({ source, ...always }) => {
    const { language, crawlIntervalMsMax, pausedReason, extraction, ...others } = source;
    const { licenceNotes, recrawlFromMs, removed, ...present } = others;
    return {
      type: "source.saved",
      ...always,
      source: {
        ...present,
        ...(language === null ? undefined : { language }),
        ...(crawlIntervalMsMax === null ? undefined : { crawlIntervalMsMax }),
        ...(pausedReason === null ? undefined : { pausedReason }),
        ...(extraction === null ? undefined : { extraction: { ...extraction } }),
        ...(licenceNotes === null ? undefined : { licenceNotes }),
        ...(recrawlFromMs === null ? undefined : { recrawlFromMs }),
        ...(removed === null ? undefined : { removed }),
      },
    };
  },
});

const feedDelivered = mapping<"feed.delivered", WithNulls<Wire<"feed.delivered">, "subjectId">>(
  "feed.delivered",
  "FeedDelivered",
  {
    fromWire: ({ subjectId, ...always }) => ({
      type: "feed.delivered",
      ...always,
      ...(subjectId === null ? undefined : { subjectId }),
    }),
  },
);

type SealedFactType =
  | "user.properties-replaced"
  | "user.properties-merged"
  | "user.source-preference-changed";

function sealedFact<Type extends SealedFactType>(type: Type, record: string): FactMapping {
  const toWire = (fact: FactOf<SealedFactType>) => ({
    ...fact,
    personal: { ...fact.personal, bytes: asBuffer(fact.personal.bytes) },
  });
  return mapping<SealedFactType>(type, record, { toWire });
}

/** Every fact there is and its record. */
export const FACT_MAPPINGS: { readonly [Type in FactType]: FactMapping } = {
  "behaviour.recorded": behaviourRecorded,
  "user.properties-replaced": sealedFact("user.properties-replaced", "UserPropertiesReplaced"),
  "user.properties-merged": sealedFact("user.properties-merged", "UserPropertiesMerged"),
  "user.source-preference-changed": sealedFact(
    "user.source-preference-changed",
    "UserSourcePreferenceChanged",
  ),
  "user.deleted": mapping("user.deleted", "UserDeleted"),
  "user-key.created": mapping("user-key.created", "UserKeyCreated", {
    toWire: (fact) => ({ ...fact, wrapped: asBuffer(fact.wrapped) }),
  }),
  "article.published": articlePublished,
  "article.withdrawn": mapping("article.withdrawn", "ArticleWithdrawn"),
  "tenant.saved": mapping("tenant.saved", "TenantSaved", {
    fromWire: ({ tenant, ...always }) => ({
      type: "tenant.saved",
      ...always,
      tenant: { ...tenant, defaultScenarios: { ...tenant.defaultScenarios } },
    }),
  }),
  "api-key.issued": mapping("api-key.issued", "ApiKeyIssued"),
  "api-key.revoked": mapping("api-key.revoked", "ApiKeyRevoked"),
  "scenario.saved": scenarioSaved,
  "licence.set": mapping("licence.set", "LicenceSet"),
  "source.saved": sourceSaved,
  "feed.delivered": feedDelivered,
  "content.delivered": mapping("content.delivered", "ContentDelivered"),
  "usage-cap.set": mapping("usage-cap.set", "UsageCapSet"),
  "credit-reservation.step": mapping("credit-reservation.step", "CreditReservationStep"),
  "push-job.requested": mapping("push-job.requested", "PushJobRequested"),
  "push-job.started": mapping("push-job.started", "PushJobStarted"),
  "push-job.audience-resolved": mapping("push-job.audience-resolved", "PushAudienceResolved"),
  "push-job.chunk-done": mapping("push-job.chunk-done", "PushChunkDone"),
  "push-job.completed": mapping("push-job.completed", "PushJobCompleted"),
  "push-job.failed": mapping("push-job.failed", "PushJobFailed"),
  "push-job.cancelled": mapping("push-job.cancelled", "PushJobCancelled"),
  "push-job.closed": mapping("push-job.closed", "PushJobClosed"),
  "push-chunk.queued": mapping("push-chunk.queued", "PushChunkQueued"),
  "dead-letter": mapping("dead-letter", "DeadLetter", {
    toWire: (fact) => ({ ...fact, original: asBuffer(fact.original) }),
  }),
};

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function bytesOfVector({ vector }: Embedding): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return LITTLE_ENDIAN ? bytes : Buffer.from(bytes).swap32();
}

function vectorOfBytes(bytes: Uint8Array): Float32Array {
  if (bytes.length % FLOAT_BYTES !== 0) throw new RangeError(`a vector has ${bytes.length} bytes`);
  // A copy of its own: bytes of a buffer pool need not be aligned.
  const copy = new Uint8Array(bytes);
  if (!LITTLE_ENDIAN) Buffer.from(copy.buffer).swap32();
  return new Float32Array(copy.buffer);
}
