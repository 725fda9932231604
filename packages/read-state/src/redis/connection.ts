import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createClient, createCluster, ErrorReply, RESP_TYPES } from "@redis/client";
import { ReadStateRejected, ReadStateUnavailable } from "../port.ts";

/** Of a connection. */
const ANSWER_TIMEOUT_MS_DEFAULT = 2_000;
const OPEN_TIMEOUT_MS_MIN = 5_000;
const RECONNECT_DELAY_MS_MAX = 1_000;
/** Commands that wait for their answer: those of a few batches of the projector. */
const COMMANDS_WAITING_MAX = 500_000;
/** What a server says that will do the same later: it loads, fails over, is full, or runs a long script. */
const TRANSIENT =
  /^(LOADING|BUSY|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|OOM|MISCONF|NOREPLICAS)\b/;

export type Argument = string | Buffer;

/** A server or a cluster. Strings come as bytes. */
export interface RedisConnection extends AsyncDisposable {
  readonly isCluster: boolean;
  /** Sends a command to the node that holds `key`, which is one of its arguments. */
  send(key: string, ...command: Argument[]): Promise<unknown>;
  /** Removes every key that a glob pattern matches, on whichever node it lies. */
  removeAll(pattern: string): Promise<void>;
  /** Runs a script: in a cluster all `keys` lie in one slot. */
  run(script: Script, keys: readonly [string, ...string[]], ...args: Argument[]): Promise<unknown>;
}

export interface Script {
  readonly text: string;
  readonly sha1: string;
}

/** A file of `scripts`, by its name without `.lua`. */
export function script(name: string): Script {
  const text = readFileSync(new URL(`scripts/${name}.lua`, import.meta.url), "utf8");
  return { text, sha1: createHash("sha1").update(text).digest("hex") };
}

type Send = (key: string, command: Argument[]) => Promise<unknown>;

/**
 * Connects to `redis://` or `rediss://` (one server) or `redis-cluster://` or `rediss-cluster://` (any of its nodes).
 * A connection that is lost is made again; meanwhile every command fails at once. Errors: ReadStateUnavailable, also where
 * there is no connection within `answerTimeoutMs`; absent: 2 s.
 */
export async function connect(
  url: string,
  answerTimeoutMs: number = ANSWER_TIMEOUT_MS_DEFAULT,
): Promise<RedisConnection> {
  const address = new URL(url.replace(/^(rediss?)-cluster:/, "$1:"));
  const place = `Redis at ${address.host}`;
  const isCluster = /^rediss?-cluster:/.test(url);
  const opening = isCluster
    ? openCluster(address, answerTimeoutMs)
    : openServer(address, answerTimeoutMs);
  const { send, close, nodes } = await opening.catch((error: unknown) => {
    throw faultOf(place, error);
  });
  const guarded = (key: string, command: Argument[]) =>
    send(key, command).catch((error: unknown) => {
      throw faultOf(place, error);
    });
  return {
    isCluster,
    send: (key, ...command) => guarded(key, command),
    removeAll: async (pattern) => {
      try {
        for (const node of await nodes()) await removeFrom(node, pattern);
      } catch (error) {
        throw faultOf(place, error);
      }
    },
    run: async ({ text, sha1 }, keys, ...args) => {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await send(keys[0], ["EVALSHA", sha1, ...rest]);
      } catch (error) {
        const isUnknown = error instanceof ErrorReply && error.message.startsWith("NOSCRIPT");
        if (!isUnknown) throw faultOf(place, error);
        return guarded(keys[0], ["EVAL", text, ...rest]);
      }
    },
    [Symbol.asyncDispose]: async () => close(),
  };
}

const connectionOptions = (connectTimeout: number) =>
  ({
    RESP: 2,
    disableOfflineQueue: true,
    commandsQueueMaxLength: COMMANDS_WAITING_MAX,
    socket: {
      connectTimeout,
      reconnectStrategy: (retries: number) => Math.min(RECONNECT_DELAY_MS_MAX, 50 * 2 ** retries),
    },
  }) as const;
const AS_BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };

/** A connection, and what asks each node that holds keys. */
interface Opened {
  readonly send: Send;
  readonly close: () => void;
  readonly nodes: () => Promise<readonly Node[]>;
}

type Node = (command: string[]) => Promise<unknown>;

const KEYS_PER_SCAN = 1_000;

async function removeFrom(node: Node, pattern: string): Promise<void> {
  let cursor = "0";
  do {
    const found = await node(["SCAN", cursor, "MATCH", pattern, "COUNT", String(KEYS_PER_SCAN)]);
    const [next, keys] = found as readonly [string, readonly string[]];
    // One by one, because those of a node need not share a slot.
    await Promise.all(keys.map((key) => node(["UNLINK", key])));
    cursor = String(next);
  } while (cursor !== "0");
}

async function openServer(address: URL, answerTimeoutMs: number): Promise<Opened> {
  const client = createClient({ ...connectionOptions(answerTimeoutMs), url: address.href });
  await firstConnection(client, answerTimeoutMs);
  return {
    send: (_key, command) => client.sendCommand(command, AS_BYTES),
    close: () => client.destroy(),
    nodes: async () => [(command) => client.sendCommand(command)],
  };
}

async function openCluster(address: URL, answerTimeoutMs: number): Promise<Opened> {
  const { socket, RESP, ...defaults } = connectionOptions(answerTimeoutMs);
  const tls = address.protocol === "rediss:" ? ({ tls: true } as const) : {};
  const cluster = createCluster({
    RESP,
    rootNodes: [{ url: address.href }],
    defaults: { ...defaults, ...credentialsOf(address), socket: { ...socket, ...tls } },
  });
  await firstConnection(cluster, answerTimeoutMs);
  return {
    send: (key, command) => cluster.sendCommand(key, false, command, AS_BYTES),
    close: () => cluster.destroy(),
    nodes: () =>
      Promise.all(
        cluster.masters.map(async (master): Promise<Node> => {
          const client = await cluster.nodeClient(master);
          return (command) => client.sendCommand(command);
        }),
      ),
  };
}

function credentialsOf({ username, password }: URL) {
  return {
    ...(username !== "" && { username: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
  };
}

interface Connecting {
  on(event: "error", listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  destroy(): void;
}

/** The client tries for ever; the first failure tells whoever opens it. Later ones are told by the commands. */
async function firstConnection(client: Connecting, answerTimeoutMs: number): Promise<void> {
  const timeoutMs = Math.max(OPEN_TIMEOUT_MS_MIN, answerTimeoutMs);
  const failed = new Promise<never>((_resolve, reject) => {
    client.on("error", reject);
    // It may also accept the connection and then say nothing.
    const silent = new Error(`no answer for ${timeoutMs} ms`);
    setTimeout(() => reject(silent), timeoutMs).unref();
  });
  failed.catch(() => undefined);
  try {
    await Promise.race([client.connect(), failed]);
  } catch (error) {
    client.destroy();
    throw error;
  }
}

function faultOf(place: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ErrorReply && !TRANSIENT.test(message))
    return new ReadStateRejected(`${place} refuses: ${message}`, { cause: error });
  return new ReadStateUnavailable(`${place} can't be used: ${message || String(error)}`, {
    cause: error,
  });
}
