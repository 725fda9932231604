import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { answers, HOST, type Engine, type EnginePlace } from "../engine.ts";
import { JAVA, installJava, javaFlags } from "../java.ts";
import { run } from "../run.ts";

const POM = join(import.meta.dirname, "pom.xml");
const HEAP_MB = 320;

export const schemaRegistry: Engine = {
  name: "schema-registry",
  usualPorts: { main: 8081 },
  stamp: readFileSync(POM, "utf8"),

  async install(directory) {
    await installJava();
    await run("installing the schema registry", "mvn", [
      "-q",
      "-B",
      "-f",
      POM,
      "dependency:copy",
      `-DoutputDirectory=${directory}`,
    ]);
    const archive = join(directory, "registry.tar.gz");
    await run("unpacking the schema registry", "tar", ["xzf", archive, "-C", directory]);
    await rm(archive);
  },

  async prepare({ program, data, ports }) {
    return {
      program: JAVA,
      args: [
        ...javaFlags(HEAP_MB),
        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
        "-jar",
        join(program, "quarkus-run.jar"),
      ],
      env: {
        QUARKUS_PROFILE: "prod",
        QUARKUS_HTTP_HOST: HOST,
        QUARKUS_HTTP_PORT: String(ports["main"]),
        QUARKUS_MANAGEMENT_HOST: HOST,
        QUARKUS_MANAGEMENT_PORT: "0",
        // On disk: records in Kafka carry the ids that it gave to their schemas.
        APICURIO_STORAGE_KIND: "sql",
        APICURIO_STORAGE_SQL_KIND: "h2",
        APICURIO_DATASOURCE_URL: `jdbc:h2:file:${join(data, "registry")}`,
        APICURIO_RULES_GLOBAL_COMPATIBILITY: "BACKWARD",
      },
    };
  },

  isReady: (place) => answers(`${urlOf(place)}/subjects`),

  variables: (place) => ({ SCHEMA_REGISTRY: urlOf(place) }),
};

function urlOf({ ports }: EnginePlace): string {
  return `http://${HOST}:${ports["main"]}/apis/ccompat/v7`;
}
