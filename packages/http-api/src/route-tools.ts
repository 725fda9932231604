import { BODY_BYTES_MAX } from "@feed/domain/limits";
import { asId } from "@feed/domain/ids";
import type { UserId } from "@feed/domain/ids";
import type { ApiContext } from "./api-context.ts";
import { readJsonBody } from "./body-reader.ts";
import type { JsonBody } from "./body-reader.ts";
import type { Bodies, ParameterSource, Parameters, RequestValidation } from "./validation.ts";

/** A context inside a route: with its path parameters. */
export type RouteContext = ApiContext & { readonly params: Readonly<Record<string, string>> };

/** What a handler asks of a request, in terms of the OpenAPI document. */
export interface RequestReader {
  /** @throws Problem 400. */
  parameters<Id extends keyof Parameters>(operation: Id, ctx: RouteContext): Parameters[Id];
  /** @throws Problem 400, 413, 415. */
  body<Id extends keyof Bodies>(operation: Id, ctx: RouteContext): Promise<Bodies[Id]>;
}

export function requestReader(validation: RequestValidation): RequestReader {
  return {
    parameters: (operation, ctx) => validation.parameters(operation, parameterSource(ctx)),
    body: async (operation, ctx) => validation.body(operation, await readBody(ctx)),
  };
}

/** @throws Problem 400, 413, 415. */
export function readBody(ctx: RouteContext): Promise<JsonBody> {
  return readJsonBody(ctx.req, BODY_BYTES_MAX);
}

/** A user_id that has passed its schema. */
export function asUserId(checked: string): UserId {
  return asId<UserId>(checked);
}

function parameterSource(ctx: RouteContext): ParameterSource {
  return {
    querystring: ctx.querystring,
    params: ctx.params,
    header: (name) => ctx.req.headers[name.toLowerCase()]?.toString(),
  };
}
