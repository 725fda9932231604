import { compileTypes, objectOf } from "./json-schema-types.ts";
import { dereference, operationsOf, valueAt } from "./openapi-document.ts";
import type { OpenapiDocument, Operation, Schema } from "./openapi-document.ts";

const JSON_TYPE = "application/json";
const IDEMPOTENCY_KEY = "Idempotency-Key";
const PROBLEM = ["problem", { $ref: "#/components/schemas/Problem" }] as const;
const SCHEMA_REFERENCE = /"#\/components\/schemas\/(\w+)"/g;
/** What the schema compiler says of where a definition was found, and what that leaves behind. */
const NOISE = [
  [/(?:\n \*)?\n \* This interface was referenced by .*\n \* via the `definition` "\w+"\./g, ""],
  [/\/\*\*\n \*\/\n/g, ""],
  [/\n( *) \*\n\1 \*\//g, "\n$1 */"],
] as const;

interface MediaTypes {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

/**
 * The module the TypeScript client is made from: types of the operations a tenant's key opens, as a caller sees them
 * (parameters with a default may be left out; answers by status), of webhook payloads and problems, and a table of the
 * operations' methods, paths and query parameters.
 */
export function clientModule(document: OpenapiDocument): Promise<string> {
  const operations = operationsOf(document).filter(({ needs }) => needs === "apiKey");
  return callerModule(document, operations, [
    ["webhooks", webhooksSchema(document)],
    PROBLEM,
    ["row", { $ref: "#/components/schemas/PushRow" }],
  ]);
}

/** The same of the operations of `/admin/v1`, for the console. */
export function consoleModule(document: OpenapiDocument): Promise<string> {
  const operations = operationsOf(document).filter(({ path }) => path.startsWith("/admin/v1/"));
  return callerModule(document, operations, [PROBLEM]);
}

async function callerModule(
  document: OpenapiDocument,
  operations: readonly Operation[],
  others: Parameters<typeof objectOf>[0],
): Promise<string> {
  const bodies = operations.flatMap(({ operationId, bodyPointer }) =>
    bodyPointer === undefined
      ? []
      : [[operationId, valueAt(document, bodyPointer) as Schema] as const],
  );
  const root = objectOf([
    ["parameters", objectOf(operations.map((one) => [one.operationId, parametersSchema(one)]))],
    ["bodies", objectOf(bodies)],
    ["answers", objectOf(operations.map((one) => [one.operationId, answers(document, one)]))],
    ...others,
  ]);
  const types = await compileTypes(root, reachable(root, document.components.schemas));
  const readable = NOISE.reduce((text, [noise, by]) => text.replace(noise, by), types);
  return `${readable}\n${routesConstant(operations)}`;
}

function parametersSchema({ parameters }: Operation): Schema {
  const sent = parameters.filter(({ in: place }) => place !== "header");
  const needed = sent.filter(({ required }) => required === true);
  return objectOf(
    sent.map(({ name, schema }) => [name, schema] as const),
    needed.map(({ name }) => name),
  );
}

/** Schemas of an operation's successes, by status; null for one without a body. */
function answers(document: OpenapiDocument, { responses }: Operation): Schema {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return objectOf(
    successes.map(([status, response]) => {
      const { content } = dereference(document, response) as MediaTypes;
      return [status, content?.[JSON_TYPE]?.schema ?? { type: "null" }] as const;
    }),
  );
}

function webhooksSchema(document: OpenapiDocument): Schema {
  const webhooks = document["webhooks"] as Readonly<
    Record<string, { readonly post: { readonly requestBody: Required<MediaTypes> } }>
  >;
  return objectOf(
    Object.entries(webhooks).map(([event, { post }]) => [
      event,
      post.requestBody.content[JSON_TYPE]?.schema ?? {},
    ]),
  );
}

/** The definitions a schema refers to, and those that these refer to. */
function reachable(
  root: Schema,
  definitions: Readonly<Record<string, Schema>>,
): Readonly<Record<string, Schema>> {
  const found = new Map<string, Schema>();
  const visit = (schema: Schema): void => {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(SCHEMA_REFERENCE)) {
      const definition = definitions[name];
      if (found.has(name) || definition === undefined) continue;
      found.set(name, definition);
      visit(definition);
    }
  };
  visit(root);
  return Object.fromEntries(found);
}

function routesConstant(operations: readonly Operation[]): string {
  const lines = operations.map(({ operationId, method, path, parameters }) => {
    const query = parameters.filter((one) => one.in === "query").map(({ name }) => name);
    const isIdempotent = parameters.some(({ name }) => name === IDEMPOTENCY_KEY);
    const route = { method, path, query, takesIdempotencyKey: isIdempotent };
    return `  ${operationId}: ${JSON.stringify(route)},`;
  });
  return [
    "/** How each operation is called; `query` lists its parameters in the query string. */",
    "export const ROUTES = {",
    ...lines,
    "} as const;",
    "",
  ].join("\n");
}
