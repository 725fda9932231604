import { join } from "node:path";

/** Where the embedded engines of an installation keep their files. */
export function installationPaths(dataDirectory: string) {
  return {
    /** The root secret; with the wrapped keys in `user-keys` it opens personal data, so back it up apart. */
    secrets: dataDirectory,
    eventLog: join(dataDirectory, "event-log"),
    personalKeys: join(dataDirectory, "personal-keys"),
    contentIndex: join(dataDirectory, "content-index"),
    /** Of an index outside, as API nodes of this machine answer from it. */
    contentIndexCopy: join(dataDirectory, "content-index-copy"),
    readState: dataDirectory,
    activityStore: join(dataDirectory, "activity-store"),
    objectStore: join(dataDirectory, "object-store"),
    crawlState: join(dataDirectory, "crawl-state"),
  } as const;
}
