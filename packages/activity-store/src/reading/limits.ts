/** What one statement of a data team may use of the machine: what asks for more fails, and the next may come. */
export const READING_LIMITS = {
  max_execution_time: 30,
  max_memory_usage: 1_000_000_000,
  max_threads: 1,
  max_result_rows: 100_000,
  max_result_bytes: 67_108_864,
  max_ast_elements: 10_000,
  max_query_size: 262_144,
} as const;

/** Of the service's statements and of those of data teams: while one of a lower number runs, those of higher ones pause. */
export const STATEMENT_PRIORITIES = { service: 1, reading: 10 } as const;

/** What holds for a statement of a data team. In a session that is read-only no setting can be changed, this one included. */
export const READING_SETTINGS = {
  ...READING_LIMITS,
  result_overflow_mode: "throw",
  priority: STATEMENT_PRIORITIES.reading,
  // As strings, so that JSON keeps every digit.
  output_format_json_quote_64bit_integers: 1,
  readonly: 1,
} as const;

/** Of a statement with its parameters. */
export const STATEMENT_BYTES_MAX = READING_LIMITS.max_query_size;

/** Statements that wait for the one that runs. */
export const WAITING_STATEMENTS_MAX = 16;
