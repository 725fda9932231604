/**
 * The ClickHouse engine in a process of its own, behind ClickHouse's HTTP interface: as much of it as the official
 * client uses. Started by embedded.ts, ends with its parent. One query runs at a time, in order of arrival.
 */
import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { Session } from "chdb";

const UNKNOWN_ERROR_CODE = 1002;
const AUTHENTICATION_FAILED_CODE = 516;
/** Numbers of 64 bits as strings, so that JSON keeps every digit; times in any usual notation. */
const SESSION_SETTINGS = [
  "SET output_format_json_quote_64bit_integers = 1",
  "SET date_time_input_format = 'best_effort'",
];

const directory = requiredVariable("CLICKHOUSE_DIRECTORY");
const password = requiredVariable("CLICKHOUSE_PASSWORD");
const port = Number(requiredVariable("CLICKHOUSE_PORT"));

const session = new Session(directory);
for (const setting of SESSION_SETTINGS) session.query(setting);
let queue: Promise<unknown> = Promise.resolve();

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) =>
    fail(response, UNKNOWN_ERROR_CODE, String(error)),
  );
});
server.keepAliveTimeout = 60_000;
server.listen(port, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});
process.on("disconnect", close);
process.on("SIGTERM", close);
// The parent decides when an interrupt ends the service.
process.on("SIGINT", () => undefined);

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

function close(): void {
  server.close();
  server.closeAllConnections();
  queue = queue.then(() => {
    session.close();
    process.exit(0);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (url.pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  if (!isAuthorised(request)) {
    fail(response, AUTHENTICATION_FAILED_CODE, "Authentication failed. (AUTHENTICATION_FAILED)");
    return;
  }
  const body = (await buffer(request)).toString();
  const statement = url.searchParams.get("query");
  const sql = statement === null ? body : `${statement}\n${body}`;
  try {
    const result = await inOrder(() => run(sql, parametersOf(url)));
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(result);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = Number(/Code: (\d+)/.exec(message)?.[1] ?? UNKNOWN_ERROR_CODE);
    fail(response, code, message);
  }
}

async function run(sql: string, parameters: Record<string, string>): Promise<Uint8Array> {
  const options = { format: "TabSeparated" };
  const result =
    Object.keys(parameters).length === 0
      ? await session.queryAsync(sql, options)
      : await session.queryBindAsync(sql, parameters, options);
  return result.bytes();
}

/** The engine keeps one session: statements of two requests must not meet in it. */
function inOrder<Result>(task: () => Promise<Result>): Promise<Result> {
  const result = queue.then(task);
  queue = result.catch(() => undefined);
  return result;
}

function parametersOf(url: URL): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (name.startsWith("param_")) parameters[name.slice("param_".length)] = value;
  }
  return parameters;
}

function isAuthorised(request: IncomingMessage): boolean {
  const [, encoded = ""] = /^Basic (.*)$/.exec(request.headers.authorization ?? "") ?? [];
  const given = Buffer.from(
    Buffer.from(encoded, "base64").toString().split(":").slice(1).join(":"),
  );
  const wanted = Buffer.from(password);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function fail(response: ServerResponse, code: number, message: string): void {
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
