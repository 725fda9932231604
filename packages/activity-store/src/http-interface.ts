/** As much of ClickHouse's HTTP interface as its clients rely on: who asks, what, and how a failure is told. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

export const UNKNOWN_ERROR_CODE = 1002;
export const AUTHENTICATION_FAILED_CODE = 516;
/** Of a request, but no settings of its statement. */
const NO_SETTINGS = new Set(["query", "query_id", "user", "password", "default_format"]);

/** Whom a server answers. */
export interface Account {
  /** Absent: any name. */
  readonly username?: string;
  readonly password: string;
}

export interface StatementRequest {
  readonly sql: string;
  /** Values of `{name:Type}` in it. */
  readonly parameters: Record<string, string>;
  /** Of the answer, where the statement names none. */
  readonly format: string | undefined;
  readonly settings: ReadonlyMap<string, string>;
}

/** The statement of a request: in its address, its body, or begun in one and ended in the other. */
export function statementRequest(url: URL, body: string): StatementRequest {
  const parameters: Record<string, string> = {};
  const settings = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (name.startsWith("param_")) parameters[name.slice("param_".length)] = value;
    else if (!NO_SETTINGS.has(name)) settings.set(name, value);
  }
  const statement = url.searchParams.get("query");
  const sql = statement === null ? body : `${statement}\n${body}`;
  return { sql, parameters, format: url.searchParams.get("default_format") ?? undefined, settings };
}

/** By HTTP's own header or ClickHouse's two. */
export function isAuthorised({ headers }: IncomingMessage, account: Account): boolean {
  const [, encoded = ""] = /^Basic (.*)$/.exec(headers.authorization ?? "") ?? [];
  const [name = "", ...rest] = Buffer.from(encoded, "base64").toString().split(":");
  const isNamed = headers["x-clickhouse-user"] !== undefined;
  const username = isNamed ? String(headers["x-clickhouse-user"]) : name;
  const password = isNamed ? String(headers["x-clickhouse-key"] ?? "") : rest.join(":");
  const isKnown = account.username === undefined || isSame(username, account.username);
  return isSame(password, account.password) && isKnown;
}

function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The code within the engine's own complaint. */
export function codeOf(message: string): number {
  return Number(/Code: (\d+)/.exec(message)?.[1] ?? UNKNOWN_ERROR_CODE);
}

/** Answers as ClickHouse does when a statement fails. */
export function fail(response: ServerResponse, code: number, message: string): void {
  if (!response.headersSent) {
    const status = code === AUTHENTICATION_FAILED_CODE ? 403 : 500;
    response.writeHead(status, {
      "content-type": "text/plain; charset=UTF-8",
      "x-clickhouse-exception-code": String(code),
    });
  }
  response.end(
    `Code: ${code}. DB::Exception: ${message.replace(/^Code: \d+\. (DB::Exception: )?/, "")}\n`,
  );
}
