/** One record of a CSV text and the line (from 1) on which it starts. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

export interface CsvProblem {
  readonly line: number;
  readonly problem: string;
}

export interface CsvText {
  readonly records: readonly CsvRecord[];
  readonly problems: readonly CsvProblem[];
}

/** A field and its separator: quoted with doubled quotes inside, or bare without any quote. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads comma-separated text (RFC 4180; LF or CRLF; a byte order mark and empty lines are ignored).
 *
 * A malformed line is reported and left out; reading goes on at the next line. An unclosed quote can't
 * be recovered from, since everything after it may belong to the field: it ends the reading.
 */
export function parseCsv(text: string): CsvText {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const records: CsvRecord[] = [];
  const problems: CsvProblem[] = [];
  let line = 1;
  let position = 0;
  while (position < source.length) {
    const record = readRecord(source, position);
    if (record.malformed !== undefined) problems.push({ line, problem: record.malformed });
    else if (record.fields.length > 1 || record.fields[0] !== "") {
      records.push({ line, fields: record.fields });
    }
    line += source.slice(position, record.end).split("\n").length - 1;
    position = record.end;
  }
  return { records, problems };
}

interface ReadRecord {
  readonly fields: readonly string[];
  readonly end: number;
  readonly malformed?: string;
}

function readRecord(source: string, start: number): ReadRecord {
  const fields: string[] = [];
  let position = start;
  for (;;) {
    FIELD.lastIndex = position;
    const match = FIELD.exec(source);
    if (match === null) return malformedRecord(source, position);
    const [whole, quoted, bare, separator] = match;
    fields.push(quoted === undefined ? (bare ?? "") : quoted.replaceAll('""', '"'));
    position += whole.length;
    if (separator !== ",") return { fields, end: position };
  }
}

function malformedRecord(source: string, position: number): ReadRecord {
  const unclosed = source[position] === '"' && !/^"(?:[^"]|"")*"/u.test(source.slice(position));
  if (unclosed)
    return { fields: [], end: source.length, malformed: "a quoted field is never closed" };
  const lineEnd = source.indexOf("\n", position);
  return {
    fields: [],
    end: lineEnd === -1 ? source.length : lineEnd + 1,
    malformed: "a quote stands inside an unquoted field or text follows a closing quote",
  };
}
