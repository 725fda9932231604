import { writeFile } from "node:fs/promises";
import { compile } from "json-schema-to-typescript";
import type { JSONSchema } from "json-schema-to-typescript";
import { operationsOf, readOpenapiDocument, valueAt } from "./openapi-document.ts";
import type { OpenapiDocument, Operation, Schema } from "./openapi-document.ts";

/** Where the generated types lie, beside this file. */
export const GENERATED_TYPES = new URL("./openapi.generated.ts", import.meta.url);

const BANNER =
  "// Generated from schemas/http/openapi.yaml by generate-types.ts; not edited by hand.";

/**
 * The types of the OpenAPI document: its schemas, and by operation id the parameters (after defaults) and
 * request bodies.
 */
export async function generateTypes(document: OpenapiDocument): Promise<string> {
  const operations = operationsOf(document);
  const root = {
    type: "object",
    additionalProperties: false,
    properties: {
      parameters: objectOf(operations, parametersSchema),
      bodies: objectOf(
        operations.filter(({ bodyPointer }) => bodyPointer !== undefined),
        ({ bodyPointer }) => valueAt(document, bodyPointer ?? "") as Schema,
      ),
    },
    required: ["parameters", "bodies"],
    definitions: document.components.schemas,
  };
  const text = JSON.stringify(root).replaceAll("#/components/schemas/", "#/definitions/");
  return compile(JSON.parse(text) as JSONSchema, "Operations", {
    bannerComment: BANNER,
    unreachableDefinitions: true,
    ignoreMinAndMaxItems: true,
    additionalProperties: false,
    format: true,
  });
}

function objectOf(operations: readonly Operation[], schema: (operation: Operation) => Schema) {
  const names = operations.map(({ operationId }) => operationId);
  return {
    type: "object",
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(operations.map((one) => [one.operationId, schema(one)])),
  };
}

function parametersSchema({ parameters }: Operation): Schema {
  const given = parameters.filter(
    ({ required, schema }) => required === true || "default" in schema,
  );
  return {
    type: "object",
    additionalProperties: false,
    required: given.map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  };
}

if (import.meta.main) await writeFile(GENERATED_TYPES, await generateTypes(readOpenapiDocument()));
