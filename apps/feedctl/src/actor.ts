import { userInfo } from "node:os";

/** Who types: commands of one machine are told apart by its accounts. */
export function actor(): string {
  try {
    return `feedctl, ${userInfo().username}`;
  } catch {
    // An account without a name, as in a container that runs under a bare number.
    return `feedctl, user ${process.getuid?.() ?? "unknown"}`;
  }
}
