import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Command } from "commander";
import { ConfigError, systemClock } from "@feed/runtime";
import { verifyDelivery } from "@feed/webhooks/signature";
import { bytesOf } from "@feed/webhooks/secrets";
import { portNumber } from "./parse.ts";
import { withWebhooks } from "./with-webhooks.ts";

const DEFAULT_PORT = 8092;
const BODY_BYTES_MAX = 1024 * 1024;

interface ListenFlags {
  readonly data: string;
  readonly port: number;
  readonly tenant?: string;
  readonly secret?: string;
  readonly json: boolean;
}

/** `feedctl listen`: a tenant's end of webhooks on one's own machine; docs/operating/webhooks.md. */
export function listenCommand(dataDefault: string): Command {
  return new Command("listen")
    .description("Take webhook deliveries on this machine, verify and print them")
    .option("--port <number>", "port to listen on; 0 takes a free one", portNumber, DEFAULT_PORT)
    .option("--tenant <id>", "listen for this tenant; where it has no webhook, this becomes it")
    .option("--secret <whsec>", "verify with this secret instead of the tenant's")
    .option("--data <directory>", "data directory of the tenant's installation", dataDefault)
    .option("--json", "print each delivery as a line of JSON", false)
    .action(listen);
}

async function listen(flags: ListenFlags): Promise<void> {
  const { tenant, secret } = flags;
  if (tenant === undefined) {
    if (secret === undefined) throw new ConfigError(["--tenant or --secret is needed"]);
    const key = bytesOf(secret);
    if (key === undefined) throw new ConfigError(["--secret is not whsec_ and base64"]);
    return serve(flags, async () => () => [key]);
  }
  await withWebhooks(flags, async ({ directory, service, knownTenant, stamp }) => {
    const tenantId = knownTenant(tenant);
    await serve(flags, async (url) => {
      const webhook = directory.webhook(tenantId);
      if (webhook !== undefined && webhook.url !== url) {
        const hint = "`feedctl webhooks set` changes that";
        throw new ConfigError([`the webhook of ${tenant} is ${webhook.url}; ${hint}`]);
      }
      await service.save(tenantId, url, stamp());
      return () =>
        service.secrets(tenantId, systemClock.nowMs()).flatMap((text) => bytesOf(text) ?? []);
    });
  });
}

/** Serves until the process is told to stop. `begin` is given the address and gives what signs. */
async function serve(
  flags: ListenFlags,
  begin: (url: string) => Promise<() => readonly Uint8Array[]>,
): Promise<void> {
  let secrets: () => readonly Uint8Array[] = () => [];
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    take(request, response, { secrets: secrets(), seen, json: flags.json }).catch(() =>
      request.socket.destroy(),
    );
  });
  server.listen(flags.port, "127.0.0.1");
  await once(server, "listening");
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    secrets = await begin(url);
    if (!flags.json) console.log(`Listening at ${url}`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

interface Taking {
  readonly secrets: readonly Uint8Array[];
  /** Ids that came before. */
  readonly seen: Set<string>;
  readonly json: boolean;
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets, seen, json }: Taking,
): Promise<void> {
  const body = await readBody(request);
  const { headers } = request;
  const verdict = verifyDelivery({ headers, body }, secrets, systemClock.nowMs());
  response.writeHead(verdict === "valid" ? 204 : 401).end();
  const id = String(headers["webhook-id"] ?? "");
  const isRepeat = seen.has(id);
  seen.add(id);
  const payload = jsonOf(body);
  if (json) return console.log(JSON.stringify({ id, signature: verdict, isRepeat, payload }));
  const time = new Date(systemClock.nowMs()).toISOString();
  const repeat = isRepeat ? " (again)" : "";
  console.log(`${time}  ${id}${repeat}  signature ${verdict}\n${JSON.stringify(payload, null, 2)}`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new RangeError("too large for a delivery");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}
