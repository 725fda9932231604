import { writeFile } from "node:fs/promises";
import { clientModule, consoleModule } from "./generate-client-types.ts";
import { endpointsPage } from "./generate-endpoints-page.ts";
import { compileTypes, objectOf } from "./json-schema-types.ts";
import { operationsOf, readOpenapiDocument, valueAt } from "./openapi-document.ts";
import type { OpenapiDocument, Operation, Schema } from "./openapi-document.ts";

/** What is generated from the OpenAPI document: where it lies, and how it is made. */
export const GENERATED = [
  { file: new URL("./openapi.generated.ts", import.meta.url), make: serviceTypes },
  { file: new URL("../../client/src/openapi.generated.ts", import.meta.url), make: clientModule },
  {
    file: new URL("../../../apps/console/page/openapi.generated.ts", import.meta.url),
    make: consoleModule,
  },
  { file: new URL("../../../docs/endpoints.md", import.meta.url), make: endpointsPage },
] as const;

/**
 * The types of the OpenAPI document as the service sees them: its schemas, and by operation id the parameters (after
 * defaults) and request bodies.
 */
function serviceTypes(document: OpenapiDocument): Promise<string> {
  const operations = operationsOf(document);
  const bodies = operations.flatMap(({ operationId, bodyPointer }) =>
    bodyPointer === undefined
      ? []
      : [[operationId, valueAt(document, bodyPointer) as Schema] as const],
  );
  const parameters = operations.map((one) => [one.operationId, parametersSchema(one)] as const);
  const root = objectOf([
    ["parameters", objectOf(parameters)],
    ["bodies", objectOf(bodies)],
  ]);
  return compileTypes(root, document.components.schemas);
}

function parametersSchema({ parameters }: Operation): Schema {
  const given = parameters.filter(
    ({ required, schema }) => required === true || "default" in schema,
  );
  return objectOf(
    parameters.map(({ name, schema }) => [name, schema] as const),
    given.map(({ name }) => name),
  );
}

if (import.meta.main) {
  const document = readOpenapiDocument();
  for (const { file, make } of GENERATED) await writeFile(file, await make(document));
}
