import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { HOST, type Engine } from "../engine.ts";
import { JAVA, installJava, javaFlags } from "../java.ts";
import { run } from "../run.ts";

const POM = join(import.meta.dirname, "pom.xml");
const SERVER_PROPERTIES = join(import.meta.dirname, "server.properties");
const LOGGING = `-Dlog4j2.configurationFile=${join(import.meta.dirname, "log4j2.yaml")}`;
const HEAP_MB = 384;
/** Of the one cluster that this directory holds. */
const CLUSTER_ID = "bG9jYWwtZmVlZC1rYWZrYQ";

export const kafka: Engine = {
  name: "kafka",
  usualPorts: { main: 9092, controller: 9093 },
  stamp: readFileSync(POM, "utf8"),

  async install(directory) {
    await installJava();
    await run("installing Apache Kafka", "mvn", [
      "-q",
      "-B",
      "-f",
      POM,
      "dependency:copy-dependencies",
      "-DincludeScope=runtime",
      `-DoutputDirectory=${directory}`,
    ]);
  },

  async prepare({ program, data, scratch, ports }) {
    const listeners = `PLAINTEXT://${HOST}:${ports["main"]}`;
    const controller = `${HOST}:${ports["controller"]}`;
    const properties = join(scratch, "server.properties");
    const own = [
      `listeners=${listeners},CONTROLLER://${controller}`,
      `advertised.listeners=${listeners}`,
      `controller.quorum.voters=1@${controller}`,
      `log.dirs=${data}`,
    ];
    writeFileSync(properties, `${readFileSync(SERVER_PROPERTIES, "utf8")}${own.join("\n")}\n`);
    const classPath = ["-cp", join(program, "*")];
    if (!existsSync(join(data, "meta.properties"))) {
      await run("formatting Kafka's storage", JAVA, [
        ...javaFlags(128),
        LOGGING,
        ...classPath,
        "kafka.tools.StorageTool",
        "format",
        "--config",
        properties,
        "--cluster-id",
        CLUSTER_ID,
      ]);
    }
    return {
      program: JAVA,
      args: [...javaFlags(HEAP_MB), LOGGING, ...classPath, "kafka.Kafka", properties],
    };
  },

  isReady: ({ ports }) => supportsVersions(ports["main"] ?? 0),

  variables: ({ ports }) => ({ EVENT_LOG: `kafka://${HOST}:${ports["main"]}` }),
};

/** Whether the broker answers an ApiVersions request: size, api key 18, version 0, correlation id, no client id. */
function supportsVersions(port: number): Promise<boolean> {
  const request = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port, timeout: 2_000 }, () => socket.write(request));
    const end = (served: boolean) => {
      socket.destroy();
      resolve(served);
    };
    socket.once("data", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
    socket.once("close", () => resolve(false));
  });
}
