import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { freePort, waitFor } from "@feed/test-kit";
import { ENGINES_DIRECTORY } from "../infra/local/directories.ts";
import { HOST, type Command } from "../infra/local/engine.ts";
import { JAVA, javaFlags } from "../infra/local/java.ts";
import { redisCommand } from "../infra/local/redis/program.ts";
import { run } from "../infra/local/run.ts";

export const USER = "feed";
export const PASSWORD = "a-password-of-the-test";
const START_TIMEOUT_MS = 240_000;
const CLUSTER_ID = "c2VjdXJlZC1mZWVkLWthZg";
const KAFKA = join(ENGINES_DIRECTORY, "kafka/program/*");
const KAFKA_LOGGING = join(import.meta.dirname, "../infra/local/kafka/log4j2.yaml");
const KAFKA_PROPERTIES = join(import.meta.dirname, "../infra/local/kafka/server.properties");

/** A certificate of 127.0.0.1 that is its own authority, as PEM files. */
export interface Certificate {
  readonly keyFile: string;
  readonly certificateFile: string;
  /** Both in one, as Kafka takes them. */
  readonly bundleFile: string;
}

/** An engine that only serves who speaks TLS and knows the password. */
export interface SecuredEngine extends AsyncDisposable {
  readonly port: number;
}

export async function makeCertificate(directory: string): Promise<Certificate> {
  const [keyFile, certificateFile, bundleFile] = ["key.pem", "certificate.pem", "bundle.pem"].map(
    (name) => join(directory, name),
  ) as [string, string, string];
  const subject = ["-subj", "/CN=feed-test", "-addext", `subjectAltName=IP:${HOST}`];
  const files = ["-keyout", keyFile, "-out", certificateFile];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  await run("making a certificate", "openssl", [...request, ...subject, ...files]);
  await writeFile(
    bundleFile,
    readFileSync(keyFile, "utf8") + readFileSync(certificateFile, "utf8"),
  );
  return { keyFile, certificateFile, bundleFile };
}

/** Kafka whose one listener for clients takes SASL over TLS: PLAIN, and SCRAM with SHA-256 and SHA-512. */
export async function startSecuredKafka(
  directory: string,
  { bundleFile, certificateFile }: Certificate,
): Promise<SecuredEngine> {
  const ports = await freePorts(["secured", "internal", "controller"]);
  const at = (listener: keyof typeof ports) => `${HOST}:${ports[listener]}`;
  const module = (name: string, options = "") =>
    `org.apache.kafka.common.security.${name} required${options};`;
  const scram = module("scram.ScramLoginModule");
  const plain = module("plain.PlainLoginModule", ` user_${USER}="${PASSWORD}"`);
  const own = [
    `listeners=SECURED://${at("secured")},INTERNAL://${at("internal")},CONTROLLER://${at("controller")}`,
    `advertised.listeners=SECURED://${at("secured")},INTERNAL://${at("internal")}`,
    "listener.security.protocol.map=SECURED:SASL_SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name=INTERNAL",
    `controller.quorum.voters=1@${at("controller")}`,
    `log.dirs=${join(directory, "data")}`,
    "sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
    `listener.name.secured.plain.sasl.jaas.config=${plain}`,
    `listener.name.secured.scram-sha-256.sasl.jaas.config=${scram}`,
    `listener.name.secured.scram-sha-512.sasl.jaas.config=${scram}`,
    "ssl.keystore.type=PEM",
    `ssl.keystore.location=${bundleFile}`,
    "ssl.truststore.type=PEM",
    `ssl.truststore.location=${certificateFile}`,
  ];
  await mkdir(directory, { recursive: true });
  const properties = join(directory, "server.properties");
  await writeFile(properties, `${readFileSync(KAFKA_PROPERTIES, "utf8")}${own.join("\n")}\n`);
  const java = [`-Dlog4j2.configurationFile=${KAFKA_LOGGING}`, "-cp", KAFKA];
  const secret = `[name=${USER},password=${PASSWORD}]`;
  const tool = [...java, "kafka.tools.StorageTool", "format", "--config", properties];
  const users = ["SCRAM-SHA-256", "SCRAM-SHA-512"].flatMap((sasl) => [
    "--add-scram",
    `${sasl}=${secret}`,
  ]);
  const format = [...javaFlags(128), ...tool, "--cluster-id", CLUSTER_ID, ...users];
  await run("formatting Kafka's storage", JAVA, format);
  const args = [...javaFlags(384), ...java, "kafka.Kafka", properties];
  return launch({ program: JAVA, args }, join(directory, "log"), ports.secured);
}

/** Redis that listens with TLS alone and asks for a password. */
export async function startSecuredRedis(
  directory: string,
  { keyFile, certificateFile }: Certificate,
): Promise<SecuredEngine> {
  const port = await freePort();
  await mkdir(directory, { recursive: true });
  const tls = ["--tls-port", String(port), "--tls-auth-clients", "no"];
  const files = ["--tls-cert-file", certificateFile, "--tls-key-file", keyFile];
  const rest = ["--bind", HOST, "--port", "0", "--requirepass", PASSWORD, "--dir", directory];
  const args = [...tls, ...files, "--tls-ca-cert-file", certificateFile, ...rest];
  return launch(redisCommand(args), join(directory, "log"), port);
}

/** A port that takes TLS and leads to an engine that does not, as what stands before a cluster does. */
export async function tlsBefore(
  engine: URL,
  { keyFile, certificateFile }: Certificate,
): Promise<SecuredEngine> {
  const credentials = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const open = new Set<{ destroy(): unknown }>();
  const server = createServer(credentials, (near) => {
    const far = connect({ host: engine.hostname, port: Number(engine.port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => open.delete(from) && to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, HOST);
  await once(server, "listening");
  return {
    port: portOf(server),
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** One for each name, none of which the system gives to somebody else before the engine listens. */
async function freePorts<Name extends string>(
  names: readonly Name[],
): Promise<Readonly<Record<Name, number>>> {
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  const chosen = [...ports];
  return Object.fromEntries(names.map((name, at) => [name, chosen[at]])) as Record<Name, number>;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** Resolves when something listens on the port; what the program says goes into a file. */
async function launch(
  { program, args, env }: Command,
  logFile: string,
  port: number,
): Promise<SecuredEngine> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const reap = () => void child.kill("SIGKILL");
  process.once("exit", reap);
  const isThere = () => {
    if (child.exitCode !== null) throw new Error(readFileSync(logFile, "utf8"));
    return listens(port);
  };
  await waitFor(isThere, { timeoutMs: START_TIMEOUT_MS });
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      process.off("exit", reap);
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
