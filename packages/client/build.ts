import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PACKAGE = import.meta.dirname;
const ROOT = resolve(PACKAGE, "../..");
/** `AbortController`, `fetch`, Web Crypto and `Symbol.asyncDispose` without a flag. */
const ENGINES = { node: ">=20.5" };

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/**
 * Writes the package as it is published into `directory`: JavaScript and declarations made by the compiler, a manifest
 * without workspace parts, README and licence. What was there is removed.
 *
 * @throws when the sources don't compile; the compiler has said why.
 */
export function buildPackage(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const project = join(PACKAGE, "tsconfig.build.json");
  const call = [compiler, "-p", project, "--outDir", join(directory, "lib")];
  execFileSync(process.execPath, call, { stdio: "inherit" });
  nameJavaScript(join(directory, "lib"));
  const text = readFileSync(join(PACKAGE, "package.json"), "utf8");
  const { name, version, description, license } = JSON.parse(text) as Manifest;
  const manifest = {
    name,
    version,
    description,
    license,
    type: "module",
    engines: ENGINES,
    sideEffects: false,
    exports: { ".": { types: "./lib/index.d.ts", default: "./lib/index.js" } },
    files: ["lib"],
  };
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(PACKAGE, "README.md"), join(directory, "README.md"));
  copyFileSync(join(ROOT, "LICENSE"), join(directory, "LICENSE"));
}

/** The compiler leaves `./x.ts` in declarations, which only its newer versions can follow. */
function nameJavaScript(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".d.ts"))) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/(\bfrom "\.\/[\w.-]+)\.ts"/g, '$1.js"'));
  }
}

if (import.meta.main) buildPackage(resolve(process.argv[2] ?? join(PACKAGE, "dist")));
