import { resolveAreas } from "@feed/areas";
import { NO_AREAS, type AmbiguousAreaName, type ResolvedAreas } from "@feed/domain/area";
import type { FeedDependencies } from "./dependencies.ts";
import type { Reader } from "./reader.ts";
import type { FeedRequest } from "./service.ts";

export type AreaContext =
  | { readonly kind: "resolved"; readonly areas: ResolvedAreas }
  | { readonly kind: "ambiguous"; readonly names: readonly AmbiguousAreaName[] };

/** Spec 4.1 rule 2: the request's area names, then the profile's, then no area context. */
export function areaContextOf(
  deps: Pick<FeedDependencies, "gazetteer">,
  request: FeedRequest,
  { user }: Reader,
): AreaContext {
  const fromQuery = request.areaNames.length > 0;
  const names = fromQuery ? request.areaNames : (user?.state.properties.area_names ?? []);
  if (names.length === 0) return { kind: "resolved", areas: NO_AREAS };
  const level = fromQuery ? request.areaLevel : user?.state.properties.area_level;
  return resolveAreas(
    {
      names,
      from: fromQuery ? "query" : "profile",
      scope: request.tenant.areaScope,
      ...(level === undefined ? {} : { level }),
    },
    deps.gazetteer,
  );
}
