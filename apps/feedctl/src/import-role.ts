import { importArticles, openPictureStorage, type ImportOptions } from "@feed/crawler";
import type { InstallationConfig } from "@feed/engines";
import type { LogLevel } from "@feed/runtime";
import { openIngestParts } from "./ingest-parts.ts";
import { USER_AGENT } from "./settings.ts";
import { roleLogger } from "./up/logging.ts";

/** An import into an installation, which may be running. */
export interface ImportRole extends AsyncDisposable {
  run(
    lines: AsyncIterable<string>,
    options: Pick<ImportOptions, "createSources" | "signal" | "onProgress" | "onProblem">,
  ): ReturnType<typeof importArticles>;
}

export async function openImport(options: {
  readonly installation: InstallationConfig;
  readonly logLevel: LogLevel;
}): Promise<ImportRole> {
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("import", options.logLevel);
  const parts = opened.use(await openIngestParts(options.installation, log));
  const { storePictures } = opened.use(
    openPictureStorage({ ...parts, userAgent: USER_AGENT, ownOrigins: new Map() }),
  );
  const owned = opened.move();
  return {
    run: (lines, flags) =>
      importArticles(lines, { ...parts, ...flags, actor: "feedctl", storePictures }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
