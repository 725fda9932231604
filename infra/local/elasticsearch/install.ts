import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { JAVA, installJava } from "../java.ts";
import { run } from "../run.ts";

export const SOURCES = join(import.meta.dirname, "src");
const POM = join(import.meta.dirname, "pom.xml");
/** Modules that call out, ask for a licence or serve nothing here. */
const LEFT_OUT = [
  "apm",
  "old-lucene-versions",
  "x-pack-esql-core",
  "x-pack-geoip-enterprise-downloader",
  "x-pack-inference",
  "x-pack-migrate",
  "x-pack-redact",
  "x-pack-security",
];

/** What is installed, as text: another text means another installation. */
export async function recipe(): Promise<string> {
  const sources = (await readdir(SOURCES, { recursive: true })).filter((name) =>
    name.endsWith(".java"),
  );
  const files = [
    POM,
    import.meta.filename,
    ...sources.toSorted().map((name) => join(SOURCES, name)),
  ];
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

/** Puts Elasticsearch into `home` and the class that starts it into `classes` below `directory`. */
export async function install(directory: string): Promise<void> {
  await installJava();
  const downloads = join(directory, "downloads");
  // A repository of its own: the archive of 0.9 GB is thrown away with it.
  await run("installing Elasticsearch", "mvn", [
    "-q",
    "-B",
    "-f",
    POM,
    "dependency:copy",
    `-DoutputDirectory=${downloads}`,
    `-Dmaven.repo.local=${join(downloads, "repository")}`,
  ]);
  await unpack(join(downloads, "carrier.zip"), directory);
  await compile(join(downloads, "ecj.jar"), directory);
  await rm(downloads, { recursive: true });
}

async function unpack(archive: string, directory: string): Promise<void> {
  const unpacked = join(directory, "unpacked");
  const left = LEFT_OUT.map((module) => `*/elasticsearch/modules/${module}/*`);
  await run("unpacking Elasticsearch", "unzip", [
    "-q",
    archive,
    "*/elasticsearch/lib/*",
    "*/elasticsearch/modules/*",
    "-x",
    "*/elasticsearch/lib/tools/*",
    ...left,
    "-d",
    unpacked,
  ]);
  const [carrier = ""] = await readdir(unpacked);
  const home = join(directory, "home");
  await rename(join(unpacked, carrier, "elasticsearch"), home);
  await rm(unpacked, { recursive: true });
  await mkdir(join(home, "plugins"));
  for (const module of await readdir(join(home, "modules"))) {
    const descriptor = join(home, "modules", module, "plugin-descriptor.properties");
    // Without a module name its classes are loaded from its jars alone, and no Java module path has to be laid.
    const text = await readFile(descriptor, "utf8");
    await writeFile(descriptor, text.replace(/^modulename=.*$/m, "modulename="));
  }
}

async function compile(compiler: string, directory: string): Promise<void> {
  const classes = join(directory, "classes");
  const libraries = join(directory, "home/lib");
  const jars = (await readdir(libraries)).filter((name) => name.endsWith(".jar"));
  await run("compiling the start of Elasticsearch", JAVA, [
    "-jar",
    compiler,
    "-21",
    "-nowarn",
    "-d",
    classes,
    "-cp",
    jars.map((name) => join(libraries, name)).join(":"),
    SOURCES,
  ]);
  const services = join(classes, "META-INF/services");
  await mkdir(services, { recursive: true });
  await writeFile(join(services, "java.text.spi.BreakIteratorProvider"), "feed.local.ThaiWords\n");
}
