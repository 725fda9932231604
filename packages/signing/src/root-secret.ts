import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

export const ROOT_SECRET_BYTES = 32;
const FILE_NAME = "root.key";
const OWNER_ONLY = 0o600;

/** The installation's secret is there but can't be used; the message says which and why. */
export class RootSecretUnusable extends Error {
  override readonly name = "RootSecretUnusable";
}

interface RootSecretOptions {
  readonly directory: string;
  /** Base64 of 32 bytes, from the configuration; it takes the place of the file. */
  readonly configured?: string;
}

/**
 * The 32 random bytes every other key is derived from: as configured, else of `<directory>/root.key`,
 * which is made at the first start. Of processes that start together, all get the bytes of the first.
 *
 * @throws RootSecretUnusable when either has another length.
 */
export async function loadRootSecret({
  directory,
  configured,
}: RootSecretOptions): Promise<Uint8Array> {
  if (configured !== undefined)
    return checked(Buffer.from(configured, "base64"), "the configured root secret");
  const path = join(directory, FILE_NAME);
  const existing = await readIfPresent(path);
  if (existing !== undefined) return checked(existing, path);
  await mkdir(directory, { recursive: true });
  await createOnce(directory, path);
  return checked(await readFile(path), path);
}

function checked(secret: Uint8Array, origin: string): Uint8Array {
  if (secret.length === ROOT_SECRET_BYTES) return secret;
  throw new RootSecretUnusable(`${origin} has ${secret.length} bytes, not ${ROOT_SECRET_BYTES}`);
}

async function readIfPresent(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A link appears whole or not at all, and fails where another process was first; a rename would replace. */
async function createOnce(directory: string, path: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const file = await open(draft, "wx", OWNER_ONLY);
    try {
      await file.writeFile(randomBytes(ROOT_SECRET_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path);
    await syncDirectory(directory);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
