import { refusalOf } from "./statement-rules.ts";

/** The codes under which ClickHouse refuses such statements. */
const CODES = {
  SYNTAX_ERROR: 62,
  UNKNOWN_DATABASE: 81,
  READONLY: 164,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  ACCESS_DENIED: 497,
} as const;

/** A statement that data teams may not run, told as ClickHouse tells it. */
export class StatementRefused extends Error {
  override readonly name = "StatementRefused";
  readonly code: number;

  constructor(message: string, reason: keyof typeof CODES) {
    super(`${message}. (${reason})`);
    this.code = CODES[reason];
  }
}

export interface Statement {
  readonly sql: string;
  /** Values of `{name:Type}` in it. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface SelectRules {
  /** Runs a statement that changes nothing and answers its one column as it is, a line a row. */
  readonly ask: (statement: Statement) => Promise<string>;
  /** Whether a database belongs to the installation. */
  readonly isReadable: (database: string) => boolean;
}

/**
 * The statement as the engine's own parser writes it: a single SELECT over tables of the activity store, without comments.
 *
 * Errors: StatementRefused for anything else, and those of `ask`, a syntax error among them.
 */
export async function checkedSelect(
  { sql, parameters }: Statement,
  { ask, isReadable }: SelectRules,
): Promise<string> {
  // As a value it is parsed and never run, and more than one statement is an error.
  const canonical = await ask({
    sql: "SELECT formatQuerySingleLine({statement:String})",
    parameters: { statement: sql },
  });
  const tree = await ask({ sql: `EXPLAIN AST ${canonical}`, parameters });
  const refusal = refusalOf(tree, isReadable);
  if (refusal !== undefined) throw new StatementRefused(refusal, "ACCESS_DENIED");
  return canonical.trim();
}
