import type { StoredFact } from "@feed/domain/facts";
import { completeSettings, type ScenarioSettings } from "@feed/domain/scenario";
import { asBuffer, bytesOfVector, vectorOfBytes } from "./wire-bytes.ts";

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

/** Sealed fields as the writer takes them; mostly they are so already, and the fact is not copied. */
function withBuffer<Fact extends FactOf<SealedFactType | "behaviour.recorded">>(fact: Fact): Fact {
  const { personal } = fact;
  if (Buffer.isBuffer(personal.bytes)) return fact;
  return { ...fact, personal: { ...personal, bytes: asBuffer(personal.bytes) } };
}

type WireBehaviour = WithNulls<Wire<"behaviour.recorded">, "sessionRef" | "contentId" | "origin">;

const behaviourRecorded = mapping<"behaviour.recorded", WireBehaviour>(
  "behaviour.recorded",
  "BehaviourRecorded",
  {
    toWire: withBuffer,
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
    settings: completeSettings(JSON.parse(settings) as Partial<ScenarioSettings>),
  }),
});

type WireExperiment = Omit<Wire<"experiment.started">, "variantSettings"> & {
  readonly variantSettings: string;
};

const experimentStarted = mapping<"experiment.started", WireExperiment>(
  "experiment.started",
  "ExperimentStarted",
  {
    toWire: (fact) => ({ ...fact, variantSettings: JSON.stringify(fact.variantSettings) }),
    fromWire: ({ variantSettings, ...always }) => ({
      type: "experiment.started",
      ...always,
      variantSettings: completeSettings(JSON.parse(variantSettings) as Partial<ScenarioSettings>),
    }),
  },
);

type SourceOption =
  | "language"
  | "crawlIntervalMsMax"
  | "pausedReason"
  | "extraction"
  | "licenceNotes"
  | "recrawlFromMs"
  | "removed"
  | "publisher";
type WireSource = {
  readonly source: WithNulls<FactOf<"source.saved">["source"], SourceOption>;
} & Omit<Wire<"source.saved">, "source">;

const sourceSaved = mapping<"source.saved", WireSource>("source.saved", "SourceSaved", {
  fromWire: ({ source, ...always }) => {
    const { language, crawlIntervalMsMax, pausedReason, extraction, ...others } = source;
    const { licenceNotes, recrawlFromMs, removed, publisher, ...present } = others;
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
        ...(publisher === null ? undefined : { publisher }),
      },
    };
  },
});

type WireAction = Omit<Wire<"action.recorded">, "details"> & { readonly details: string };

const actionRecorded = mapping<"action.recorded", WireAction>("action.recorded", "ActionRecorded", {
  toWire: (fact) => ({ ...fact, details: JSON.stringify(fact.details) }),
  fromWire: ({ details, ...always }) => ({
    type: "action.recorded",
    ...always,
    details: JSON.parse(details) as Readonly<Record<string, unknown>>,
  }),
});

type WireFeed = WithNulls<Wire<"feed.delivered">, "subjectId" | "experiment">;

const feedDelivered = mapping<"feed.delivered", WireFeed>("feed.delivered", "FeedDelivered", {
  fromWire: ({ subjectId, experiment, ...always }) => ({
    type: "feed.delivered",
    ...always,
    ...(subjectId === null ? undefined : { subjectId }),
    ...(experiment === null ? undefined : { experiment: { ...experiment } }),
  }),
});

type SealedFactType =
  | "user.properties-replaced"
  | "user.properties-merged"
  | "user.source-preference-changed";

function sealedFact<Type extends SealedFactType>(type: Type, record: string): FactMapping {
  return mapping<SealedFactType>(type, record, { toWire: withBuffer });
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
  "api-key.expiry-set": mapping("api-key.expiry-set", "ApiKeyExpirySet"),
  "api-key.used": mapping("api-key.used", "ApiKeyUsed"),
  "scenario.saved": scenarioSaved,
  "licence.set": mapping("licence.set", "LicenceSet"),
  "source.saved": sourceSaved,
  "webhook.saved": mapping("webhook.saved", "WebhookSaved", {
    toWire: (fact) => ({
      ...fact,
      secrets: fact.secrets.map((secret) => ({ ...secret, sealed: asBuffer(secret.sealed) })),
    }),
    fromWire: ({ secrets, ...always }) => ({
      type: "webhook.saved",
      ...always,
      secrets: secrets.map((secret) => ({ ...secret })),
    }),
  }),
  "webhook.removed": mapping("webhook.removed", "WebhookRemoved"),
  "webhook.disabled": mapping("webhook.disabled", "WebhookDisabled"),
  "licence.reset": mapping("licence.reset", "LicenceReset"),
  "content.withheld": mapping("content.withheld", "ContentWithheld"),
  "usage-threshold.reached": mapping("usage-threshold.reached", "UsageThresholdReached"),
  "action.recorded": actionRecorded,
  "experiment.started": experimentStarted,
  "experiment.share-set": mapping("experiment.share-set", "ExperimentShareSet"),
  "experiment.ended": mapping("experiment.ended", "ExperimentEnded"),
  "person.saved": mapping("person.saved", "PersonSaved", {
    toWire: (fact) => ({
      ...fact,
      person: { ...fact.person, sealed: asBuffer(fact.person.sealed) },
    }),
    fromWire: ({ person, ...always }) => ({
      type: "person.saved",
      ...always,
      person: { ...person },
    }),
  }),
  "person.password-set": mapping("person.password-set", "PersonPasswordSet", {
    toWire: (fact) => ({ ...fact, sealed: asBuffer(fact.sealed) }),
  }),
  "person.removed": mapping("person.removed", "PersonRemoved"),
  "person.identity-linked": mapping("person.identity-linked", "PersonIdentityLinked"),
  "sign-in-link.made": mapping("sign-in-link.made", "SignInLinkMade"),
  "session.started": mapping("session.started", "SessionStarted"),
  "session.ended": mapping("session.ended", "SessionEnded"),
  "webhook-delivery.queued": mapping("webhook-delivery.queued", "WebhookDeliveryQueued"),
  "webhook-delivery.claimed": mapping("webhook-delivery.claimed", "WebhookDeliveryClaimed"),
  "webhook-delivery.attempted": mapping("webhook-delivery.attempted", "WebhookDeliveryAttempted"),
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
  "dead-letter.settled": mapping("dead-letter.settled", "DeadLetterSettled"),
  "dead-letter.replay-requested": mapping(
    "dead-letter.replay-requested",
    "DeadLetterReplayRequested",
  ),
  "dead-letter.replay-answered": mapping("dead-letter.replay-answered", "DeadLetterReplayAnswered"),
  "read-model.changed": mapping("read-model.changed", "ReadModelChanged"),
  "read-model.rebuild-step": mapping("read-model.rebuild-step", "ReadModelRebuildStep"),
};
