import { operationsOf } from "./openapi-document.ts";
import type { OpenapiDocument } from "./openapi-document.ts";

interface Tag {
  readonly name: string;
  readonly description: string;
}
interface Described {
  readonly summary: string;
  readonly tags: readonly string[];
}

const HEAD = ["method", "path", "what it is"] as const;

/** docs/endpoints.md: every operation with its summary, under the tags of the document. */
export function endpointsPage(document: OpenapiDocument): Promise<string> {
  const tags = document["tags"] as readonly Tag[];
  const sections = tags.map(({ name, description }) => {
    const rows = rowsOf(document, name);
    return `## ${name[0]?.toUpperCase()}${name.slice(1)}\n\n${description.trim()}\n\n${table(rows)}`;
  });
  return Promise.resolve(`${INTRODUCTION}\n${sections.join("\n")}`);
}

const INTRODUCTION = `# Endpoints

Every call of the service. Parameters, fields, examples and errors of each are in the
[reference](../schemas/http/openapi.yaml), which is made of the OpenAPI document; a service that runs has it at
\`/docs/api\`, and the document at \`/openapi.json\`. Calls below \`/v1\` take \`Authorization: Bearer\` with a key of the tenant.
`;

function rowsOf(document: OpenapiDocument, tag: string): readonly (readonly string[])[] {
  return operationsOf(document).flatMap(({ method, path }) => {
    const item = document.paths[path] ?? {};
    const { summary, tags } = item[method.toLowerCase()] as Described;
    return tags[0] === tag ? [[`\`${method}\``, `\`${path}\``, summary]] : [];
  });
}

/** As the formatter leaves it: columns padded to their widest cell. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((head, column) =>
    Math.max(...[HEAD, ...rows].map((row) => row[column]?.length ?? 0), head.length),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  const rule = widths.map((width) => "-".repeat(width));
  return [HEAD, rule, ...rows].map(line).join("");
}
