import type { ContentFact, CreditFact, DeliveryFact, StoredFact } from "@feed/domain/facts";
import type { PushJobFact } from "@feed/domain/push-facts";
import type { WebhookDeliveryFact } from "@feed/domain/webhook";
import { UnreadableRecord } from "@feed/event-codec";
import type { FactCodec } from "@feed/event-codec";
import type { LogRecord, PartitionBatch } from "@feed/event-log";
import type { Decoded } from "./target.ts";

/** Facts of a topic without personal fields. A record of another topic's type is unreadable here. */
export function decodeFacts<Fact extends StoredFact>(
  batch: PartitionBatch,
  codec: FactCodec,
  belongs: (fact: StoredFact) => fact is Fact,
): readonly Decoded<Fact>[] {
  const { partition } = batch;
  return batch.records.map((record) => {
    const { offset } = record;
    const read = decodeFact(record, codec);
    if (typeof read === "string") return { unreadable: read, partition, offset };
    if (!belongs(read)) {
      return { unreadable: `${read.type} does not belong to ${batch.topic}`, partition, offset };
    }
    return { fact: read, partition, offset };
  });
}

export function isContentFact(fact: StoredFact): fact is ContentFact {
  return fact.type === "article.published" || fact.type === "article.withdrawn";
}

export function isDeliveryFact(fact: StoredFact): fact is DeliveryFact {
  return fact.type === "feed.delivered" || fact.type === "content.delivered";
}

export function isCreditFact(fact: StoredFact): fact is CreditFact {
  return fact.type === "usage-cap.set" || fact.type === "credit-reservation.step";
}

export function isPushJobFact(fact: StoredFact): fact is PushJobFact {
  return fact.type.startsWith("push-job.");
}

export function isWebhookDeliveryFact(fact: StoredFact): fact is WebhookDeliveryFact {
  return fact.type.startsWith("webhook-delivery.");
}

function decodeFact({ value }: LogRecord, codec: FactCodec): StoredFact | string {
  if (value === null) return "it is a tombstone";
  try {
    return codec.decode(value);
  } catch (error) {
    if (error instanceof UnreadableRecord) return error.message;
    throw error;
  }
}
