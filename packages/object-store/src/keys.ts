import { ObjectRejected } from "./port.ts";

export const OBJECT_KEY_CHARS_MAX = 512;
const SEGMENT = /^[A-Za-z0-9._-]+$/;

/** The segments of a key that keeps the port's rule. Errors: ObjectRejected. */
export function checkedSegments(key: string): readonly string[] {
  const segments = key.split("/");
  const sound =
    key.length <= OBJECT_KEY_CHARS_MAX &&
    segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..");
  if (!sound)
    throw new ObjectRejected(
      `not an object key: ${JSON.stringify(key.slice(0, OBJECT_KEY_CHARS_MAX))}`,
    );
  return segments;
}
