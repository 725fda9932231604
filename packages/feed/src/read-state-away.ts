import { ReadStateClosed, ReadStateUnavailable } from "@feed/read-state";

/** What a call to the read state gives, or undefined where it is away and the caller can do without. */
export async function unlessReadStateAway<Value>(
  asked: Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ReadStateUnavailable || error instanceof ReadStateClosed) return undefined;
    throw error;
  }
}
