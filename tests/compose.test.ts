import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = resolve(import.meta.dirname, "..");
const text = (file: string) => readFileSync(join(root, file), "utf8");

interface Service {
  readonly image?: string;
  readonly build?: string | { readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly mem_limit?: string;
  readonly healthcheck?: object;
  readonly volumes?: readonly string[];
}

function servicesOf(file: string): readonly (readonly [string, Service])[] {
  const compose = parse(text(file), { merge: true }) as { services: Record<string, Service> };
  return Object.entries(compose.services);
}

/** The image that a service runs, or those that its own is built on. */
function imagesOf({ image = "", build }: Service): readonly string[] {
  if (build === undefined) return [image];
  const dockerfile = typeof build === "string" ? join(build, "Dockerfile") : build.dockerfile;
  return [...text(dockerfile).matchAll(/^FROM (\S+)/gm)].map(([, base = ""]) => base);
}

/** The version that `make engines` installs, as its recipe names it. */
function installed(file: string, pattern: RegExp): string {
  return pattern.exec(text(file))?.[1] ?? "none";
}

describe.each(["docker-compose.yml", "docker-compose.embedded.yml"])("%s", (file) => {
  it.each(servicesOf(file))("gives %s a health check and a limit of memory", (_name, service) => {
    expect(service.healthcheck).toBeDefined();
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
  });

  it.each(servicesOf(file))("pins the version of %s, or builds it on pinned ones", (_, service) => {
    expect(imagesOf(service).filter((image) => !/:v?\d+\.\d+/.test(image))).toEqual([]);
  });
});

describe("docker-compose.yml", () => {
  const services = new Map(servicesOf("docker-compose.yml"));

  it("has a service for every role", () => {
    const roles = [...services.values()].flatMap(({ command }) =>
      command?.[1] === "apps/feedctl/src/main.ts" ? [command[2]] : [],
    );
    expect(roles.toSorted()).toEqual(["api", "crawler", "projector", "push"]);
  });

  it("runs the versions that the tests run on", () => {
    const kafka = installed(
      "infra/local/kafka/pom.xml",
      /kafka_2\.13<.*\s*<version>(.*)<\/version>/,
    );
    const registry = installed(
      "infra/local/schema-registry/pom.xml",
      /apicurio-registry-app<.*\s*<version>(.*)<\/version>/,
    );
    const elasticsearch = installed(
      "infra/local/elasticsearch/pom.xml",
      /unmodified Elasticsearch (\d+\.\d+\.\d+)/,
    );
    const minio = installed("infra/local/minio/minio.ts", /"(github\.com\/minio\/minio@[^"]+)"/);
    expect(services.get("kafka")?.image).toBe(`apache/kafka:${kafka}`);
    expect(services.get("schema-registry")?.image).toBe(`apicurio/apicurio-registry:${registry}`);
    expect(services.get("elasticsearch")?.image).toMatch(new RegExp(`:${elasticsearch}$`));
    expect(text("infra/minio/Dockerfile")).toContain(minio);
  });
});
