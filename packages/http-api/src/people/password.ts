import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

/** What OWASP asks of argon2id at least: 19 MiB, 2 passes, 1 lane; about 30 ms of a core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** A password as it is stored: argon2id (RFC 9106) with a salt of its own, in PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, salt, COST, TAG_BYTES);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(salt)}$${text(tag)}`;
}

/**
 * Whether a password is the stored one. Null, for somebody who has none or is nobody, takes as long as a wrong one.
 *
 * @throws where `stored` is no PHC string of argon2id.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  if (stored === null) {
    await tagOf(password, Buffer.alloc(SALT_BYTES), COST, TAG_BYTES);
    return false;
  }
  const [, memory, passes, parallelism, salt = "", tag = ""] = PHC.exec(stored) ?? [];
  if (tag === "") throw new Error("the stored password is no argon2id hash");
  const cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const expected = Buffer.from(tag, "base64");
  const actual = await tagOf(password, Buffer.from(salt, "base64"), cost, expected.length);
  return timingSafeEqual(actual, expected);
}

/** A password for somebody who is shown it once: 24 characters, 144 bits. */
export function newPassword(): string {
  return randomBytes(18).toString("base64url");
}

function tagOf(
  password: string,
  nonce: Buffer,
  cost: { readonly memory: number; readonly passes: number; readonly parallelism: number },
  tagLength: number,
): Promise<Buffer> {
  // The same characters, however a keyboard composes them.
  const message = password.normalize("NFKC");
  return derive("argon2id", { message, nonce, ...cost, tagLength }) as Promise<Buffer>;
}

/** Base64 without padding, as PHC strings have it. */
function text(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
