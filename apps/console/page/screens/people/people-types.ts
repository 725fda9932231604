import type { Answer } from "../../shared/api.ts";

export type Person = Answer<"adminListPeople">["data"][number];

/** What a dialog is open for. */
export type Asking =
  | { readonly for: "add"; readonly tenantId: string | null }
  | { readonly for: "link" | "change" | "remove"; readonly person: Person }
  | { readonly for: "shown"; readonly url: string };
