import { errors } from "@elastic/elasticsearch";
import { ContentIndexUnavailable, ContentRejected } from "../port.ts";

/** Whatever the client throws is "try later" to a caller; what the port refuses stays refused. */
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

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof errors.ResponseError && error.statusCode === status;
}
