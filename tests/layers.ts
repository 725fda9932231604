import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Layers from the bottom up (docs/architecture.md): a package imports from its own layer's allowance downwards. */
export const LAYERS = [
  ["domain"],
  ["projections"],
  ["runtime", "signing", "safe-fetch", "test-kit", "areas", "event-codec", "openid"],
  ["event-log", "content-index", "read-state", "activity-store", "object-store", "embedder"],
  ["personal-data", "tenant-directory", "article-body", "article-analysis", "pictures"],
  ["crawler", "projector", "feed"],
  ["push"],
  ["webhooks"],
  ["http-api"],
  ["engines"],
] as const;

export interface ImportLine {
  /** Path below the repository. */
  readonly file: string;
  readonly specifier: string;
}

/** Imports that point upwards or sideways, as sentences. */
export function layerViolations(imports: readonly ImportLine[]): string[] {
  return imports.flatMap(({ file, specifier }) => {
    const from = /^packages\/([^/]+)\//.exec(file)?.[1];
    const to = /^@feed\/([^/]+)/.exec(specifier)?.[1];
    if (from === undefined || to === undefined || from === to) return [];
    const fromLayer = layerOf(from);
    const toLayer = layerOf(to);
    if (fromLayer === -1) return [`${file}: package ${from} stands in no layer`];
    if (toLayer === -1 || toLayer > fromLayer)
      return [`${file} imports ${specifier}, which lies above it`];
    return toLayer < fromLayer ? [] : [`${file} imports ${specifier}, a sibling`];
  });
}

/** Every import of the repository's own sources, tests left out. */
export function importsOf(root: string): ImportLine[] {
  return sourceFiles(root)
    .filter((file) => !/\.(test|fixture)\.ts$|conformance|test-kit/.test(file))
    .flatMap((file) =>
      [
        ...readFileSync(join(root, file), "utf8").matchAll(
          /\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/g,
        ),
      ].map(([, statical, dynamic]) => ({ file, specifier: statical ?? dynamic ?? "" })),
    );
}

/** Paths of the repository's own TypeScript below packages, apps, infra, tests and bench. */
export function sourceFiles(root: string): string[] {
  return ["packages", "apps", "infra", "tests", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  );
}

function layerOf(name: string): number {
  return LAYERS.findIndex((layer) => (layer as readonly string[]).includes(name));
}
