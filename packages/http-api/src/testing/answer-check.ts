import { Ajv2020 } from "ajv/dist/2020.js";
import { dereference, operationsOf, readOpenapiDocument } from "../openapi-document.ts";
import type { Operation, Schema } from "../openapi-document.ts";
import type { Answer } from "./client.ts";

interface DocumentedAnswer {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: Schema;
}

const document = readOpenapiDocument();
const operations = operationsOf(document).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, "[^/]+")}$`),
}));
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(document, "openapi");
/** On every answer, documented or not (decisions, "HTTP in general"). */
const ALWAYS = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
];

/** What an answer does otherwise than the OpenAPI document says. */
export function faultsOfAnswer(method: string, path: string, answer: Answer): readonly string[] {
  const faults = ALWAYS.filter((name) => answer.headers.get(name) === null).map(
    (name) => `${name} is missing`,
  );
  const pathname = path.split("?", 1)[0] ?? "";
  const known = operations.find(
    ({ operation, pattern }) => operation.method === method && pattern.test(pathname),
  );
  return known === undefined ? faults : [...faults, ...documentedFaults(known.operation, answer)];
}

function documentedFaults(operation: Operation, answer: Answer): readonly string[] {
  const listed = operation.responses[`${answer.status}`] ?? operation.responses["default"];
  if (listed === undefined) return [`${answer.status} is not documented`];
  const { headers = {}, content } = dereference(document, listed) as DocumentedAnswer;
  return [...headerFaults(headers, answer), ...bodyFaults(content, answer)];
}

function headerFaults(
  headers: Readonly<Record<string, unknown>>,
  answer: Answer,
): readonly string[] {
  return Object.entries(headers).flatMap(([name, entry]) => {
    const { required, schema } = dereference(document, entry) as DocumentedHeader;
    const text = answer.headers.get(name);
    if (text === null) return required === true ? [`${name} is missing`] : [];
    const isNumber = schema["type"] === "integer" || schema["type"] === "number";
    return faultsOf(schema, isNumber ? Number(text) : text).map((fault) => `${name} ${fault}`);
  });
}

function bodyFaults(content: DocumentedAnswer["content"], answer: Answer): readonly string[] {
  const type = answer.headers.get("content-type")?.split(";", 1)[0];
  if (content === undefined) return answer.text === "" ? [] : ["a body where none is documented"];
  const documented = type === undefined ? undefined : content[type];
  if (documented === undefined) return [`${type} is not a documented media type`];
  return faultsOf(documented.schema, answer.json ?? answer.text);
}

function faultsOf(schema: Schema, value: unknown): readonly string[] {
  const absolute = JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'),
  ) as Schema;
  const check = ajv.compile(absolute);
  if (check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
