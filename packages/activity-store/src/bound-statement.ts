/**
 * A quoted literal or name, or a comment, all of which are left alone; or a parameter such as {tenant:String}, with its
 * name and type.
 */
const TOKEN =
  /'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|--[^\n]*|\/\*[\s\S]*?\*\/|\{(\w+):([^{}]+)\}/gs;
const COMPOSED_TYPE = /^\s*(?:Array|Tuple|Map)\s*\(/;
const ESCAPED: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "\0",
};

/**
 * A statement with the values of its parameters in their places, as the engine puts them there. Values are as ClickHouse's HTTP
 * interface has them: escaped as in TabSeparated, and composed ones as their literal.
 *
 * The engine's own binding takes values as they stand, and lets one statement with parameters of all sessions run at a time.
 */
export function boundStatement(sql: string, parameters: Readonly<Record<string, string>>): string {
  const values = new Map(Object.entries(parameters));
  return sql.replace(TOKEN, (token: string, name?: string, type?: string) => {
    const value = name === undefined ? undefined : values.get(name);
    if (value === undefined || type === undefined) return token;
    return `_CAST(${literalOf(value, type)}, ${quoted(type)})`;
  });
}

function literalOf(value: string, type: string): string {
  if (COMPOSED_TYPE.test(type)) return quoted(value);
  if (value === "\\N") return "NULL";
  return quoted(value.replace(/\\(.)/gs, (_, escaped: string) => ESCAPED[escaped] ?? escaped));
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
