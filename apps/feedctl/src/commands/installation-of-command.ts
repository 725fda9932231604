import type { InstallationConfig } from "@feed/engines";
import { installationOf } from "../settings.ts";

const ANSWER_TIMEOUT_MS = 30_000;

/** As `installationOf`: a command is no caller of the API, and engines that are busy may take their time to answer it. */
export function installationOfCommand(
  ...from: Parameters<typeof installationOf>
): InstallationConfig {
  return { ...installationOf(...from), engineAnswerTimeoutMs: ANSWER_TIMEOUT_MS };
}
