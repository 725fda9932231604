import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { escapePointer } from "./json-faults.ts";
import type { JsonBody } from "./body-reader.ts";
import { operationsOf } from "./openapi-document.ts";
import type { OpenapiDocument, OperationParameter } from "./openapi-document.ts";
import type { Operations } from "./openapi.generated.ts";
import { readQuery, typedValue } from "./parameter-text.ts";
import { validationProblem } from "./problem.ts";
import type { Fault } from "./problem.ts";
import { parseRfc3339 } from "./rfc3339.ts";

/** Bodies with more values are checked up to the first fault: a list of all could outgrow the memory. */
const VALUES_FOR_ALL_FAULTS_MAX = 2_000;
const DOCUMENT_ID = "openapi";

export type Parameters = Operations["parameters"];
export type Bodies = Operations["bodies"];

/** What a request brings parameters in. */
export interface ParameterSource {
  readonly querystring: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Undefined: not sent, which is something else than sent empty. */
  header(name: string): string | undefined;
}

/** Checks requests against the OpenAPI document; compiled once. */
export interface RequestValidation {
  /** @throws Problem 400 with a fault for every parameter that breaks its schema. */
  parameters<Id extends keyof Parameters>(operation: Id, source: ParameterSource): Parameters[Id];
  /** @throws Problem 400 with pointers into the body. */
  body<Id extends keyof Bodies>(operation: Id, body: JsonBody): Bodies[Id];
  /** Whether a body fits, in one pass and without saying why. */
  accepts(operation: keyof Bodies, value: unknown): boolean;
  /** The first fault of a value against a named schema, or undefined. `at` is put before its pointer. */
  faultOf(schema: string, value: unknown, at: string): Fault | undefined;
}

interface CompiledParameter extends OperationParameter {
  readonly check: ValidateFunction;
}

interface CompiledBody {
  readonly first: ValidateFunction;
  readonly all: ValidateFunction;
}

export function compileValidation(document: OpenapiDocument): RequestValidation {
  const firstFault = openAjv(document, false);
  const allFaults = openAjv(document, true);
  const parameters = new Map<string, readonly CompiledParameter[]>();
  const bodies = new Map<string, CompiledBody>();
  for (const operation of operationsOf(document)) {
    const { operationId, bodyPointer } = operation;
    parameters.set(
      operationId,
      operation.parameters.map((parameter) => ({
        ...parameter,
        check: firstFault.compile({ $ref: refTo(parameter.schemaPointer) }),
      })),
    );
    if (bodyPointer === undefined) continue;
    const first = firstFault.compile({ $ref: refTo(bodyPointer) });
    bodies.set(operationId, { first, all: allFaults.compile({ $ref: refTo(bodyPointer) }) });
  }
  const schemas = new Map<string, ValidateFunction>();
  for (const name of Object.keys(document.components.schemas)) {
    schemas.set(name, firstFault.compile({ $ref: refTo(`/components/schemas/${name}`) }));
  }
  const bodyOf = (operation: keyof Bodies): CompiledBody => {
    const compiled = bodies.get(operation);
    if (compiled === undefined) throw new Error(`operation ${operation} has no body`);
    return compiled;
  };
  return {
    parameters: <Id extends keyof Parameters>(operation: Id, source: ParameterSource) =>
      readParameters(parameters.get(operation) ?? [], source) as unknown as Parameters[Id],
    body: <Id extends keyof Bodies>(operation: Id, body: JsonBody) => {
      checkBody(bodyOf(operation), body);
      return body.value as Bodies[Id];
    },
    accepts: (operation, value) => bodyOf(operation).first(value),
    faultOf: (schema, value, at) => {
      const check = schemas.get(schema);
      if (check === undefined) throw new Error(`there is no schema ${schema}`);
      return check(value) ? undefined : faultFrom(check.errors?.[0], at);
    },
  };
}

function openAjv(document: OpenapiDocument, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strictTypes: false,
    strictRequired: false,
    multipleOfPrecision: 6,
    // The document's root and its headers and examples are no schemas.
    strictSchema: false,
    formats: { "date-time": (text) => parseRfc3339(text) !== undefined, "bcp-47": isBcp47 },
  });
  ajv.addSchema(document, DOCUMENT_ID);
  return ajv;
}

function refTo(pointer: string): string {
  return `${DOCUMENT_ID}#${encodeURI(pointer)}`;
}

function isBcp47(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function checkBody({ first, all }: CompiledBody, { value, values }: JsonBody): void {
  if (first(value)) return;
  const few = values <= VALUES_FOR_ALL_FAULTS_MAX;
  if (few) all(value);
  const errors = (few ? all.errors : first.errors) ?? [];
  throw validationProblem(errors.map((error) => faultFrom(error, "")));
}

function readParameters(
  parameters: readonly CompiledParameter[],
  source: ParameterSource,
): Readonly<Record<string, unknown>> {
  const query = readQuery(source.querystring);
  const values: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const parameter of parameters) {
    const given = givenValues(parameter, query, source);
    if ("fault" in given) {
      faults.push({ pointer: pointerTo(parameter), detail: given.fault });
      continue;
    }
    if (given.text === undefined) {
      if ("default" in parameter.schema) values[parameter.name] = parameter.schema["default"];
      else if (parameter.required === true)
        faults.push({ pointer: pointerTo(parameter), detail: "is missing" });
      continue;
    }
    const value = typedValue(given.text, parameter.schema);
    if (parameter.check(value)) values[parameter.name] = value;
    else faults.push(faultFrom(parameter.check.errors?.[0], "", pointerTo(parameter)));
  }
  if (faults.length > 0) throw validationProblem(faults);
  return values;
}

function givenValues(
  { name, in: place }: CompiledParameter,
  query: ReturnType<typeof readQuery>,
  source: ParameterSource,
): { readonly text: string | undefined } | { readonly fault: string } {
  if (place === "path") return { text: source.params?.[name] ?? "" };
  if (place === "header") return { text: source.header(name) };
  const values = query.get(name);
  if (values === undefined) return { text: undefined };
  if (values.length > 1) return { fault: "is given more than once" };
  return values[0] === undefined ? { fault: "is not percent-encoded UTF-8" } : { text: values[0] };
}

function pointerTo({ name, in: place }: OperationParameter): string {
  return `${place}:${name}`;
}

/** A fault of ajv's; `pointer` replaces the one into the value. */
function faultFrom(error: ErrorObject | undefined, at: string, pointer?: string): Fault {
  if (error === undefined) return { pointer: pointer ?? at, detail: "is invalid" };
  const member: unknown = error.params["missingProperty"] ?? error.params["additionalProperty"];
  const step = typeof member === "string" ? `/${escapePointer(member)}` : "";
  return { pointer: pointer ?? `${at}${error.instancePath}${step}`, detail: detailOf(error) };
}

function detailOf({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return "is missing";
    case "additionalProperties":
      return "is not a known field";
    case "enum":
      return `must be one of ${(params["allowedValues"] as readonly unknown[]).join(", ")}`;
    case "format":
      return params["format"] === "date-time"
        ? "must be an RFC 3339 timestamp with an offset"
        : `must be of format ${params["format"]}`;
    default:
      return message ?? "is invalid";
  }
}
