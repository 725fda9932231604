import { compile } from "json-schema-to-typescript";
import type { JSONSchema } from "json-schema-to-typescript";
import type { Schema } from "./openapi-document.ts";

const BANNER =
  "// Generated from schemas/http/openapi.yaml by generate-types.ts; not edited by hand.";

/** TypeScript of an interface `Operations`, and of the named schemas. */
export function compileTypes(
  operations: Schema,
  definitions: Readonly<Record<string, Schema>>,
): Promise<string> {
  const text = JSON.stringify({ ...operations, definitions });
  const rooted = text.replaceAll("#/components/schemas/", "#/definitions/");
  return compile(JSON.parse(rooted) as JSONSchema, "Operations", {
    bannerComment: BANNER,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    additionalProperties: false,
    format: true,
  });
}

/** A closed object of these properties; all of them are there unless `required` says which. */
export function objectOf(
  properties: readonly (readonly [name: string, schema: Schema])[],
  required = properties.map(([name]) => name),
): Schema {
  return {
    type: "object",
    additionalProperties: false,
    required,
    properties: Object.fromEntries(properties),
  };
}
