import { Refused } from "./api.ts";

/** Null in place of what is not there (404). Rejects with every other problem. */
export async function orAbsent<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused && error.slug === "not-found") return null;
    throw error;
  }
}
