import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Embedder } from "@feed/embedder";
import type { InstallationConfig } from "./core.ts";
import { installationPaths } from "./paths.ts";

type IndexModel = Pick<Embedder, "model" | "dimensions">;

/** Which model's index is served, as the last switch left it. */
export interface ServedRecord {
  read(): Promise<IndexModel | undefined>;
  /** Of the version of the read model that is served. */
  write(model: IndexModel, version: number): Promise<void>;
}

export async function servedRecord({
  dataDirectory,
  engines = {},
}: InstallationConfig): Promise<ServedRecord> {
  if (engines.contentIndex !== undefined) {
    const { parseElasticsearchUrl, servedAlias } =
      await import("@feed/content-index/elasticsearch");
    return servedAlias(parseElasticsearchUrl(engines.contentIndex));
  }
  const directory = installationPaths(dataDirectory).contentIndex;
  const path = join(directory, "served.json");
  return {
    async read(): Promise<IndexModel | undefined> {
      const text = await readFile(path, "utf8").catch(() => undefined);
      return text === undefined ? undefined : (JSON.parse(text) as IndexModel);
    },
    async write({ model, dimensions }: IndexModel): Promise<void> {
      await mkdir(directory, { recursive: true });
      // A name of its own: several roles of a machine write the same at the same time.
      const draft = `${path}.${randomUUID()}`;
      await writeFile(draft, JSON.stringify({ model, dimensions }));
      await rename(draft, path);
    },
  };
}
