import type { BatchMeasure } from "./project-into.ts";

export type FromProjectorThread =
  | { readonly kind: "ready" }
  | { readonly kind: "batch"; readonly measure: BatchMeasure }
  | { readonly kind: "failed"; readonly reason: string };

export type ToProjectorThread = { readonly kind: "stop" };
