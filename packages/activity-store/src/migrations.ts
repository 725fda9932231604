import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../schemas/clickhouse", import.meta.url));

/** Every statement of schemas/clickhouse, in the order of file names. All are repeatable (IF NOT EXISTS). */
export async function schemaStatements(): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(join(FOLDER, name), "utf8")));
  return texts.flatMap(statementsOf);
}

/** Statements that end with a semicolon at the end of a line, without comments. */
export function statementsOf(text: string): string[] {
  return text
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.replace(/^--.*$/gm, "").trim())
    .filter((statement) => statement !== "");
}
