/**
 * What a data team's statement may be: one SELECT over tables of the activity store. `readonly` alone is not enough: the
 * engine lets a subquery switch it off, writes result files and reads files by a function in spite of it.
 */

/**
 * Nodes of a statement's tree that show all there is below them. Others may not: `* APPLY(f)` is a node that does not name
 * the function.
 */
const KNOWN_NODES = new Set([
  "ArrayJoin",
  "Asterisk",
  "CollateElement",
  "ColumnsExceptTransformer",
  "ColumnsTransformerList",
  "ExpressionList",
  "Function",
  "Identifier",
  "InterpolateElement",
  "Literal",
  "OrderByElement",
  "QualifiedAsterisk",
  "SampleRatio",
  "SelectIntersectExceptQuery",
  "SelectQuery",
  "SelectWithUnionQuery",
  "Subquery",
  "TableExpression",
  "TableIdentifier",
  "TableJoin",
  "TablesInSelectQuery",
  "TablesInSelectQueryElement",
  "WindowDefinition",
  "WindowListElement",
  "WithElement",
]);

/** What tools look up about the database that they are connected to. */
const SYSTEM_TABLES = new Set(
  ["one", "numbers", "databases", "tables", "columns", "functions", "settings", "data_types"].map(
    (table) => `system.${table}`,
  ),
);

/** Functions that reach beyond the statement's tables: files, other servers, the server's own state. */
const REFUSED_FUNCTIONS = new Set([
  "file",
  "hascolumnintable",
  "catboostevaluate",
  "evalmlmethod",
  "generateserialid",
  "getclienthttpheader",
  "getserversetting",
  "joinget",
  "joingetornull",
  "logtrace",
  "showcertificate",
]);
const AI_FUNCTION = /^ai(classify|embed|extract|generate|translate)$/;

/** `TableIdentifier events`, `TableIdentifier feed.events (alias e)`. */
const TABLE = /^TableIdentifier (?:(\w+)\.)?(\w+)(?: \(alias .*)?$/;
const FUNCTION = /^Function (\S+)/;
/** A function may be an argument of another by its name alone: arrayMap(file, …). */
const IDENTIFIER = /^Identifier (\S+)/;

/**
 * Why a statement is refused, undefined: it may run.
 *
 * @param tree what EXPLAIN AST answers for the statement: a node a line, indented by one space for each level.
 * @param isReadable whether a database that is named belongs to the installation.
 */
export function refusalOf(
  tree: string,
  isReadable: (database: string) => boolean,
): string | undefined {
  const lines = tree.split("\n").filter((line) => line.trim() !== "");
  if (!/^SelectWithUnionQuery\b/.test(lines[0] ?? "")) return "only SELECT is answered here";
  for (const [at, line] of lines.entries()) {
    const node = line.trimStart();
    const depth = line.length - node.length;
    const isTable = lines[at - 1]?.trimStart().startsWith("TableExpression") ?? false;
    const refusal = depth === 1 ? outputRefusal(node) : nodeRefusal(node, isTable, isReadable);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Beside the selects themselves a statement may name its format: a literal there is a file it would write. */
function outputRefusal(node: string): string | undefined {
  if (/^(ExpressionList|Identifier)\b/.test(node)) return undefined;
  return node === "Set" ? "SETTINGS can't be changed here" : "INTO OUTFILE is not answered here";
}

function nodeRefusal(
  node: string,
  isTable: boolean,
  isReadable: (database: string) => boolean,
): string | undefined {
  if (node === "Set") return "SETTINGS can't be changed here";
  const kind = node.split(" ", 1)[0] ?? "";
  if (!KNOWN_NODES.has(kind)) return `${kind} is not answered here`;
  const [, identifier] = IDENTIFIER.exec(node) ?? [];
  if (identifier !== undefined) return identifierRefusal(identifier);
  const [, name] = FUNCTION.exec(node) ?? [];
  if (name !== undefined) {
    if (isTable) return `table function ${name} is not answered here`;
    return isRefusedFunction(name) ? `function ${name} is not answered here` : undefined;
  }
  if (!node.startsWith("TableIdentifier")) return undefined;
  const [, database, table] = TABLE.exec(node) ?? [];
  if (table === undefined) return "a table's name has letters, digits and _ only";
  if (database === undefined || isReadable(database)) return undefined;
  const isKnown = database.toLowerCase() === "information_schema";
  return isKnown || SYSTEM_TABLES.has(`${database}.${table}`)
    ? undefined
    : `table ${database}.${table} is not one of the activity store`;
}

/** The name of a function, or of a table: `1 IN system.processes`. */
function identifierRefusal(identifier: string): string | undefined {
  if (isRefusedFunction(identifier))
    return `${identifier} is the name of a function that is not answered here`;
  const [database = "", table] = identifier.split(".");
  const isRefused = database === "system" && !SYSTEM_TABLES.has(`${database}.${table}`);
  return isRefused ? `table ${identifier} is not one of the activity store` : undefined;
}

function isRefusedFunction(name: string): boolean {
  const plain = name.toLowerCase();
  return REFUSED_FUNCTIONS.has(plain) || AI_FUNCTION.test(plain);
}
