/** First bytes of two-byte characters (Encoding Standard, index jis0208). */
const LEADS = [...range(0x81, 0x9f), ...range(0xe0, 0xef)];
const TRAILS = [...range(0x40, 0x7e), ...range(0x80, 0xfc)];

let table: ReadonlyMap<string, readonly number[]> | undefined;

/**
 * Encodes text as Shift_JIS (windows-31j). The table is the platform's own decoder turned round, made
 * at first use. Characters outside it become numeric character references, as browsers do in forms,
 * so the result is for HTML and XML only.
 */
export function encodeShiftJis(text: string): Buffer {
  table ??= invertDecoder();
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const pair = table.get(character);
    if (code < 0x80) bytes.push(code);
    else if (pair !== undefined) bytes.push(...pair);
    else bytes.push(...Buffer.from(`&#${code};`, "ascii"));
  }
  return Buffer.from(bytes);
}

function invertDecoder(): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder("shift_jis");
  const inverted = new Map<string, readonly number[]>();
  const learn = (bytes: readonly number[]): void => {
    const character = decoder.decode(Uint8Array.from(bytes));
    const isOne = [...character].length === 1 && character !== "\uFFFD";
    if (isOne && !inverted.has(character)) inverted.set(character, bytes);
  };
  for (const lead of LEADS) for (const trail of TRAILS) learn([lead, trail]);
  // Half-width katakana are single bytes.
  for (const single of range(0xa1, 0xdf)) learn([single]);
  return inverted;
}

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
