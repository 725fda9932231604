import type { IncomingMessage, ServerResponse } from "node:http";
import { codeOf, fail, isAuthorised, statementRequest } from "../http-interface.ts";
import { AUTHENTICATION_FAILED_CODE, type Account } from "../http-interface.ts";
import { StatementRefused } from "./checked-select.ts";
import type { Reader } from "./embedded-reader.ts";
import { READING_SETTINGS, STATEMENT_BYTES_MAX } from "./limits.ts";

const DEFAULT_FORMAT = "TabSeparated";
/** What clients say about the connection; other settings may only say what holds anyway. */
const OF_THE_CONNECTION = new Set([
  "database",
  "enable_http_compression",
  "wait_end_of_query",
  "send_progress_in_http_headers",
  "client_protocol_version",
  // Every statement stands alone: a session would hold nothing.
  "session_id",
  "session_check",
  "session_timeout",
]);

/** Answers one request of a data team as a ClickHouse server answers an account that may only read. */
export async function answerReading(
  request: IncomingMessage,
  response: ServerResponse,
  { reader, account }: { readonly reader: Reader; readonly account: Account },
): Promise<void> {
  if (!isAuthorised(request, account))
    return fail(
      response,
      AUTHENTICATION_FAILED_CODE,
      "Authentication failed. (AUTHENTICATION_FAILED)",
    );
  try {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { sql, parameters, format, settings } = statementRequest(url, await limitedBody(request));
    assertUnchanged(settings);
    const { "x-clickhouse-format": formatHeader, "x-clickhouse-database": databaseHeader } =
      request.headers;
    const result = await reader.read({
      sql,
      parameters,
      database: settings.get("database") ?? String(databaseHeader ?? "default"),
      format: format ?? String(formatHeader ?? DEFAULT_FORMAT),
    });
    response.writeHead(200, { "content-type": "application/octet-stream" }).end(result);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    fail(response, error instanceof StatementRefused ? error.code : codeOf(message), message);
  }
}

function assertUnchanged(settings: ReadonlyMap<string, string>): void {
  const holding = new Map<string, string | number>(Object.entries(READING_SETTINGS));
  for (const [name, value] of settings)
    if (!OF_THE_CONNECTION.has(name) && String(holding.get(name)) !== value)
      throw new StatementRefused(`Cannot modify '${name}' setting in readonly mode`, "READONLY");
}

async function limitedBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > STATEMENT_BYTES_MAX)
      throw new StatementRefused(
        `a statement has ${STATEMENT_BYTES_MAX} bytes at most`,
        "SYNTAX_ERROR",
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
