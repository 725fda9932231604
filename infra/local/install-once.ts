import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Installs into an empty `directory` unless that was done with the same stamp. The stamp is written last: what was
 * interrupted is installed anew.
 */
export async function installOnce(
  directory: string,
  stamp: string,
  install: () => Promise<void>,
): Promise<void> {
  const file = join(directory, "installed");
  const installed = await readFile(file, "utf8").catch(() => undefined);
  if (installed === stamp) return;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await install();
  await writeFile(file, stamp);
}
