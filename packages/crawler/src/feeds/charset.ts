/** Labels that publishers use and the Encoding Standard does not know. */
const ALIASES: Readonly<Record<string, string>> = {
  cp932: "shift_jis",
  mskanji: "shift_jis",
  "shift-jisx0213": "shift_jis",
  cp51932: "euc-jp",
  eucjpms: "euc-jp",
  "euc-jp-ms": "euc-jp",
  jis: "iso-2022-jp",
  "iso-2022-jp-1": "iso-2022-jp",
  "iso-2022-jp-ms": "iso-2022-jp",
  cp50220: "iso-2022-jp",
  cp50221: "iso-2022-jp",
  utf8mb4: "utf-8",
  "utf-8n": "utf-8",
};
/**
 * Where a declaration has to stand (HTML, 13.2.3.2; XML, appendix F); pages with long comments go
 * beyond 1,024.
 */
const DECLARATION_BYTES_MAX = 2_048;
/** More undecodable characters than this, and the declared charset is not the one that was used. */
const REPLACED_SHARE_MAX = 0.005;
/** Tried in this order where nothing is declared; the last one reads anything. */
const UNDECLARED = ["utf-8", "euc-jp", "shift_jis", "windows-1252"] as const;
/** What turns ISO-2022-JP to kanji (RFC 1468): an escape, which no document has otherwise. */
const JIS_ESCAPES = ["\u001b$B", "\u001b$@"];

export interface DecodedText {
  readonly text: string;
  /** Name of the charset in the Encoding Standard. */
  readonly charset: string;
  /** Share of characters that could not be decoded, 0 to 1. */
  readonly replacedShare: number;
}

/**
 * Decodes what publishers send: byte order mark, then the Content-Type, then the XML declaration or
 * the HTML `meta`. Where none of them is right, the strictest charset that reads every byte.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): DecodedText {
  const escaped = hasJisEscape(bytes) ? decodeWhole(bytes, "iso-2022-jp") : undefined;
  // All other charsets read its seven bits too, as nonsense.
  if (escaped !== undefined) return { text: escaped, charset: "iso-2022-jp", replacedShare: 0 };
  const declared =
    markOf(bytes) ?? decoderName(charsetParameter(contentType)) ?? declaredWithin(bytes);
  if (declared !== undefined) {
    const text = new TextDecoder(declared).decode(bytes);
    const replacedShare = text === "" ? 0 : (text.split("\ufffd").length - 1) / text.length;
    if (replacedShare <= REPLACED_SHARE_MAX) return { text, charset: declared, replacedShare };
  }
  for (const charset of UNDECLARED) {
    const text = decodeWhole(bytes, charset);
    if (text !== undefined) return { text, charset, replacedShare: 0 };
  }
  return { text: new TextDecoder().decode(bytes), charset: "utf-8", replacedShare: 1 };
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

function charsetParameter(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
}

function declaredWithin(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES_MAX)).toString("latin1");
  const label =
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']/i.exec(start)?.[1] ??
    /<meta[^>]*\scharset\s*=\s*["']?([^\s"'/>;]+)/i.exec(start)?.[1] ??
    /<meta[^>]*content\s*=\s*["'][^"']*charset=([^\s"';]+)/i.exec(start)?.[1];
  const name = decoderName(label);
  // The declaration was read as single bytes, so the text can't be of two-byte units (HTML, 13.2.3.3).
  return name?.startsWith("utf-16") === true ? "utf-8" : name;
}

function decoderName(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  const folded = label.trim().toLowerCase();
  try {
    return new TextDecoder(ALIASES[folded] ?? folded).encoding;
  } catch {
    return undefined;
  }
}

function hasJisEscape(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return JIS_ESCAPES.some((escape) => buffer.includes(escape, 0, "latin1"));
}

function decodeWhole(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
