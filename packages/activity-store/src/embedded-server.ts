/**
 * The ClickHouse engine in a process of its own, behind ClickHouse's HTTP interface: as much of it as the official
 * client uses. Started by embedded.ts, ends with its parent. The service's statements run one at a time, in order of
 * arrival; those that ask to be read-only in a session beside them, as do all that come to the address of data teams, where
 * one is configured.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { runBehindOthers } from "@feed/runtime";
import type { ClickHouseEndpoint } from "./clickhouse.ts";
import { openEngineSession } from "./engine-session.ts";
import {
  AUTHENTICATION_FAILED_CODE,
  codeOf,
  fail,
  isAuthorised,
  statementRequest,
  UNKNOWN_ERROR_CODE,
} from "./http-interface.ts";
import { openReader } from "./reading/embedded-reader.ts";
import { STATEMENT_PRIORITIES } from "./reading/limits.ts";
import { answerReading } from "./reading/reading-requests.ts";

/** The service's own account reads as data teams do where it says so. */
const READ_ONLY = /[?&]readonly=1(&|$)/;
const SETTING_NAME = /^[a-z]\w*$/;

const directory = requiredVariable("CLICKHOUSE_DIRECTORY");
const password = requiredVariable("CLICKHOUSE_PASSWORD");
const port = Number(requiredVariable("CLICKHOUSE_PORT"));

// Before the engine starts its threads, which inherit it.
runBehindOthers();
const session = openEngineSession(directory);
/** What the session was set to last; a statement with the same settings costs nothing more. */
const sessionSettings = new Map<string, string>();
let queue: Promise<unknown> = run(`SET priority = ${STATEMENT_PRIORITIES.service}`);

const reader = openReader(directory);
const servers = [
  listen(port, "127.0.0.1", (request, response) =>
    READ_ONLY.test(request.url ?? "")
      ? answerReading(request, response, { reader, account: { password } })
      : answer(request, response),
  ),
  ...readingServers(),
];
try {
  const [ownPort] = await Promise.all(servers.map(listening));
  process.send?.({ port: ownPort });
} catch (error) {
  // The engine does not let a process end that has it open.
  process.stderr.write(`${String(error)}\n`);
  session[Symbol.dispose]();
  process.exit(1);
}
process.on("disconnect", close);
process.on("SIGTERM", close);
// The parent decides when an interrupt ends the service.
process.on("SIGINT", () => undefined);

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

/** Where data teams may ask, if that was configured. */
function readingServers(): Server[] {
  const configured = process.env["CLICKHOUSE_READING"];
  if (configured === undefined) return [];
  const { url, ...account } = JSON.parse(configured) as ClickHouseEndpoint;
  const { hostname, port: readingPort } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return [
    listen(Number(readingPort), host, (request, response) =>
      answerReading(request, response, { reader, account }),
    ),
  ];
}

function listen(
  at: number,
  host: string,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Server {
  const server = createServer((request, response) => {
    if (pathOf(request) === "/ping") return void response.end("Ok.\n");
    handle(request, response).catch((error: unknown) =>
      fail(response, UNKNOWN_ERROR_CODE, String(error)),
    );
  });
  server.keepAliveTimeout = 60_000;
  return server.listen(at, host);
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => resolve((server.address() as AddressInfo).port));
  });
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?")[0] ?? "/";
}

function close(): void {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  queue = queue.then(() => {
    reader[Symbol.dispose]();
    session[Symbol.dispose]();
    process.exit(0);
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isAuthorised(request, { password })) {
    fail(response, AUTHENTICATION_FAILED_CODE, "Authentication failed. (AUTHENTICATION_FAILED)");
    return;
  }
  const url = new URL(request.url ?? "/", "http://localhost");
  const { sql, parameters, format, settings } = statementRequest(url, await text(request));
  try {
    const result = await inOrder(async () => {
      await useSettings(settings);
      return run(sql, parameters, format);
    });
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.end(result);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    fail(response, codeOf(message), message);
  }
}

function run(
  sql: string,
  parameters: Record<string, string> = {},
  format = "TabSeparated",
): Promise<Uint8Array> {
  return session.run({ sql, parameters, format });
}

/** The engine keeps one session: statements of two requests must not meet in it. */
function inOrder<Result>(task: () => Promise<Result>): Promise<Result> {
  const result = queue.then(task);
  queue = result.catch(() => undefined);
  return result;
}

/** A server's settings hold for one request; those of the engine's session until they are set again. */
async function useSettings(settings: ReadonlyMap<string, string>): Promise<void> {
  for (const name of sessionSettings.keys()) {
    if (settings.has(name)) continue;
    await run(`SET ${name} = DEFAULT`);
    sessionSettings.delete(name);
  }
  for (const [name, value] of settings) {
    if (sessionSettings.get(name) === value) continue;
    if (!SETTING_NAME.test(name)) throw new Error("Code: 115. not the name of a setting");
    await run(`SET ${name} = '${value.replace(/[\\']/g, "\\$&")}'`);
    sessionSettings.set(name, value);
  }
}
