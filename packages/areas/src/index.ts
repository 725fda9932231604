export { containingAreas, createGazetteer, SEARCH_AREAS_MAX } from "./gazetteer.ts";
export type { Gazetteer } from "./gazetteer.ts";
export { AREA_COLUMNS, importAreasCsv } from "./import.ts";
export type { AreaImport } from "./import.ts";
export { loadGazetteer } from "./load.ts";
export { findAreaMentions } from "./mentions.ts";
export type { AreaMention } from "./mentions.ts";
export { resolveAreas } from "./resolve.ts";
export type { AreaNames, AreaResolution } from "./resolve.ts";
