import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The parts of an OpenAPI 3.1 document this package looks at. */
export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly [member: string]: unknown;
}
export type Schema = Readonly<Record<string, unknown>>;
export type PathItem = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: "query" | "path" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

/** A parameter of an operation, and where its schema lies in the document. */
export interface OperationParameter extends Parameter {
  readonly schemaPointer: string;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly needs: "apiKey" | "adminToken" | "nothing";
  readonly parameters: readonly OperationParameter[];
  readonly bodyPointer: string | undefined;
  readonly responses: Readonly<Record<string, unknown>>;
}

const DOCUMENT = new URL("../../../schemas/http/openapi.yaml", import.meta.url);
const METHODS = ["get", "put", "post", "delete", "patch"] as const;

/** Reads `schemas/http/openapi.yaml`: the source of validation, types and documentation. */
export function readOpenapiDocument(): OpenapiDocument {
  const text = readFileSync(DOCUMENT, "utf8");
  // The document is the project's own: anchors are used often, and not to blow it up.
  return parse(text, { merge: true, maxAliasCount: -1 }) as OpenapiDocument;
}

export function operationsOf(document: OpenapiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => operationOf(document, path, method)),
  );
}

/** Follows `$ref` once, where there is one. */
export function dereference<Value>(document: OpenapiDocument, value: Value): Value {
  const pointer = refOf(value);
  return pointer === undefined ? value : (valueAt(document, pointer) as Value);
}

function operationOf(document: OpenapiDocument, path: string, method: string): Operation {
  const item = document.paths[path] as PathItem;
  const operation = item[method] as Readonly<Record<string, unknown>>;
  const base = `/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const [security] = (operation["security"] ?? document["security"]) as readonly object[];
  const needs = security === undefined ? "nothing" : Object.keys(security)[0];
  return {
    operationId: String(operation["operationId"]),
    method: method.toUpperCase(),
    path,
    needs: needs === "adminToken" || needs === "nothing" ? needs : "apiKey",
    parameters: [
      ...parametersAt(document, `${base}/parameters`, item["parameters"]),
      ...parametersAt(document, `${base}/${method}/parameters`, operation["parameters"]),
    ],
    bodyPointer: bodyPointerOf(`${base}/${method}/requestBody`, operation["requestBody"]),
    responses: operation["responses"] as Operation["responses"],
  };
}

function parametersAt(
  document: OpenapiDocument,
  base: string,
  list: unknown,
): readonly OperationParameter[] {
  return ((list ?? []) as readonly unknown[]).map((entry, index) => {
    const parameter = dereference(document, entry) as Parameter;
    return { ...parameter, schemaPointer: `${refOf(entry) ?? `${base}/${index}`}/schema` };
  });
}

function bodyPointerOf(base: string, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  // JSON Lines are checked line by line, by a schema of their own.
  const { content } = body as { readonly content?: object };
  if (content !== undefined && !("application/json" in content)) return undefined;
  return `${refOf(body) ?? base}/content/application~1json/schema`;
}

function refOf(value: unknown): string | undefined {
  const ref = (value as { readonly $ref?: unknown } | null)?.$ref;
  return typeof ref === "string" ? ref.slice(1) : undefined;
}

/** The value a JSON Pointer names. */
export function valueAt(document: OpenapiDocument, pointer: string): unknown {
  let value: unknown = document;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
