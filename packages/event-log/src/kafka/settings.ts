import type { ISocketFactory } from "kafkajs";

/** A cluster, and the part of it that belongs to one installation. */
export interface KafkaSettings {
  /** `host:port` of some brokers; the others are learned from them. */
  readonly brokers: readonly string[];
  /** In front of every topic and group; empty: none. */
  readonly prefix: string;
  readonly tls: boolean;
  readonly sasl?: {
    readonly mechanism: SaslMechanism;
    readonly username: string;
    readonly password: string;
  };
  /** Of topics that are created; absent: as the brokers are set up. */
  readonly replicas?: number;
  /** Makes connections; absent: as kafkajs does. */
  readonly socketFactory?: ISocketFactory;
}

const SASL_MECHANISMS = ["plain", "scram-sha-256", "scram-sha-512"] as const;
type SaslMechanism = (typeof SASL_MECHANISMS)[number];

const URL_PARTS = /^kafka:\/\/(?:([^@/?]*)@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/;
const BROKER = /^(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})$/;
const PREFIX = /^[\w.-]{0,100}$/;
const PARAMETERS = ["tls", "sasl", "replicas"];
const REPLICAS_MAX = 32;

/**
 * Reads `kafka://[user:password@]host:port[,host:port…][/prefix][?tls=true&sasl=scram-sha-512&replicas=3]`. The form of
 * a URL with several hosts is none that `URL` reads.
 *
 * @throws Error that says in words what is wrong, without repeating the URL: it may hold a password.
 */
export function parseKafkaUrl(text: string): KafkaSettings {
  const [, credentials, hosts = "", prefix = "", query] = URL_PARTS.exec(text) ?? [];
  const brokers = hosts.split(",");
  if (hosts === "" || !brokers.every(isBroker))
    throw new Error("must look like kafka://host:9092 or kafka://host-1:9092,host-2:9092/prefix");
  if (!PREFIX.test(prefix))
    throw new Error("has a prefix that is not up to 100 letters, digits or _.-");
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name))
      throw new Error(`knows no parameter ${name}, only ${PARAMETERS.join(", ")}`);
  }
  const tls = parameters.get("tls") ?? "false";
  if (tls !== "true" && tls !== "false") throw new Error("has a tls that is not true or false");
  const sasl = saslOf(credentials, parameters.get("sasl"));
  const replicas = replicasOf(parameters.get("replicas"));
  return {
    brokers,
    prefix,
    tls: tls === "true",
    ...(sasl === undefined ? {} : { sasl }),
    ...(replicas === undefined ? {} : { replicas }),
  };
}

function isBroker(text: string): boolean {
  const port = Number(BROKER.exec(text)?.[2]);
  return port >= 1 && port <= 65_535;
}

function saslOf(credentials: string | undefined, named: string | null): KafkaSettings["sasl"] {
  if (credentials === undefined) {
    if (named !== null) throw new Error("names a sasl mechanism, but no user:password@");
    return undefined;
  }
  const [username = "", password = ""] = credentials.split(":").map(decodeURIComponent);
  if (username === "" || password === "")
    throw new Error("has credentials that are not user:password@");
  const mechanism = SASL_MECHANISMS.find((known) => known === (named ?? "plain"));
  if (mechanism === undefined)
    throw new Error(`has a sasl that is not one of ${SASL_MECHANISMS.join(", ")}`);
  return { mechanism, username, password };
}

function replicasOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  const replicas = Number(text);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > REPLICAS_MAX)
    throw new Error(`has replicas that are not 1 to ${REPLICAS_MAX}`);
  return replicas;
}
