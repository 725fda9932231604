import { ContentIndexUnavailable, ContentRejected } from "./port.ts";

/** Whatever an engine or its client throws is "try later" to a caller; what the port refuses stays refused. */
export async function unavailableUnlessDone<Result>(
  what: string,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ContentRejected || error instanceof ContentIndexUnavailable) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ContentIndexUnavailable(`${what}: ${reason.replaceAll(/\s*\n\s*/g, " ")}`, {
      cause: error,
    });
  }
}
