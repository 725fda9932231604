import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ENGINES_DIRECTORY } from "../directories.ts";
import type { Command } from "../engine.ts";
import { installOnce } from "../install-once.ts";
import { run } from "../run.ts";

/** The distribution's own: its files are unpacked here, so that no service is started and nobody has to be root. */
const PACKAGES = ["redis-server", "redis-tools"];
const DIRECTORY = join(ENGINES_DIRECTORY, "redis-program");

export const REDIS_STAMP = `${PACKAGES.join(" ")} of the distribution`;

export function installRedis(): Promise<void> {
  return installOnce(DIRECTORY, REDIS_STAMP, async () => {
    const apt = aptOptions(DIRECTORY);
    await mkdir(join(DIRECTORY, "lists"));
    await run("reading the distribution's list of packages", "apt-get", [...apt, "update"]);
    const packages = await missingPackages(apt);
    await run("downloading Redis", "apt-get", [...apt, "download", ...packages], {
      cwd: DIRECTORY,
    });
    for (const file of (await readdir(DIRECTORY)).filter((name) => name.endsWith(".deb"))) {
      await run(`unpacking ${file}`, "dpkg-deb", ["-x", join(DIRECTORY, file), DIRECTORY]);
      await rm(join(DIRECTORY, file));
    }
    await rm(join(DIRECTORY, "lists"), { recursive: true });
  });
}

export function redisCommand(args: readonly string[]): Command {
  const libraries = join(DIRECTORY, "usr/lib");
  return {
    program: join(DIRECTORY, "usr/bin/redis-server"),
    args: [...args, "--appendonly", "yes", "--save", ""],
    env: { LD_LIBRARY_PATH: [libraries, join(libraries, `${machine()}-linux-gnu`)].join(":") },
  };
}

/** Lists below `directory`, where anyone may write them. */
function aptOptions(directory: string): readonly string[] {
  return [
    "-qq",
    "-o",
    `Dir::State::lists=${join(directory, "lists")}`,
    "-o",
    "APT::Sandbox::User=",
    "-o",
    "Acquire::Retries=5",
  ];
}

/** Redis and what it needs that this machine has not. */
async function missingPackages(apt: readonly string[]): Promise<readonly string[]> {
  const plan = await run("looking for Redis", "apt-get", [
    ...apt,
    "-q=0",
    "install",
    "--simulate",
    "--no-install-recommends",
    "--reinstall",
    ...PACKAGES,
  ]);
  return [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = ""]) => name);
}

function machine(): string {
  return process.arch === "arm64" ? "aarch64" : "x86_64";
}
