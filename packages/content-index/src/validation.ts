import {
  ARTICLE_IDS_MAX,
  ContentRejected,
  LEG_CANDIDATES_MAX,
  RECALL_LEGS_MAX,
  type ContentChange,
  type RecallLeg,
} from "./port.ts";

/** Vectors are stored as made; one this far from unit length is a bug of its embedder. */
const UNIT_LENGTH_TOLERANCE = 1e-3;

/** What an index holds. */
export interface IndexedModel {
  readonly model: string;
  readonly dimensions: number;
}

/** Throws ContentRejected unless every vector is a unit vector of the index's model. */
export function validateChanges(changes: readonly ContentChange[], index: IndexedModel): void {
  for (const change of changes) {
    if (change.kind === "put") validateEmbedding(change.article.embedding, index);
  }
}

/** Throws ContentRejected unless the legs keep the port's limits. */
export function validateLegs(legs: readonly RecallLeg[], index: IndexedModel): void {
  if (legs.length > RECALL_LEGS_MAX) {
    throw new ContentRejected(`${legs.length} legs, at most ${RECALL_LEGS_MAX}`);
  }
  for (const leg of legs) {
    if (!Number.isInteger(leg.limit) || leg.limit < 1 || leg.limit > LEG_CANDIDATES_MAX) {
      throw new ContentRejected(`limit ${leg.limit}, not 1 to ${LEG_CANDIDATES_MAX}`);
    }
    if (leg.kind !== "nearest") continue;
    validateDimensions(leg.vector, index);
    if (!leg.vector.every(Number.isFinite)) throw new ContentRejected("a vector with NaN or ∞");
  }
}

export function validateIds(contentIds: readonly unknown[]): void {
  if (contentIds.length > ARTICLE_IDS_MAX) {
    throw new ContentRejected(`${contentIds.length} ids, at most ${ARTICLE_IDS_MAX}`);
  }
}

function validateEmbedding(
  { model, vector }: { readonly model: string; readonly vector: Float32Array },
  index: IndexedModel,
): void {
  if (model !== index.model) {
    throw new ContentRejected(`embedded by ${model}, the index holds ${index.model}`);
  }
  validateDimensions(vector, index);
  let squares = 0;
  for (const value of vector) squares += value * value;
  // The negation also catches NaN.
  if (!(Math.abs(Math.sqrt(squares) - 1) <= UNIT_LENGTH_TOLERANCE)) {
    throw new ContentRejected(`a vector of length ${Math.sqrt(squares)}, not 1`);
  }
}

function validateDimensions(vector: Float32Array, { dimensions }: IndexedModel): void {
  if (vector.length === dimensions) return;
  throw new ContentRejected(`a vector of ${vector.length} dimensions, not ${dimensions}`);
}
