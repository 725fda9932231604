import { readFile } from "node:fs/promises";

const PAGE = new URL("../../../../docs/data/queries.md", import.meta.url);

/** The queries of docs/data/queries.md, with what is printed below each. */
export async function documentedQueries() {
  const page = await readFile(PAGE, "utf8");
  const found = page.matchAll(
    /^## (.*)$(?:(?!^## )[\s\S])*?^```sql\n([\s\S]*?)^```\n\n^```text\n([\s\S]*?)^```/gm,
  );
  return Array.from(found, ([, title = "", sql = "", answer = ""]) => ({ title, sql, answer }));
}
