/** Layout of the tables: a changed layout is a new database beside the old one (architecture rule 5). */
const LAYOUT_VERSION = 1;
const PREFIX_DEFAULT = "feed";
/** How the database of a version ends, as a regular expression: see databaseOf. */
export const VERSION_ENDING = "_v\\d+(_r\\d+)?";
const ENDS_AS_VERSION = new RegExp(`${VERSION_ENDING}$`);
const ENGINE_DATABASES = new Set(["default", "system", "information_schema"]);

export interface DatabasesOfInstallation {
  /** Of the names of all databases of an installation. Absent: feed. */
  readonly databasePrefix?: string;
}

export interface VersionOfDatabase extends DatabasesOfInstallation {
  /** Of the tables: each version is a database of its own. Absent: 1. */
  readonly version?: number;
}

/** The database of a version: what the service writes to and reads. */
export function databaseOf({ version = 1, ...installation }: VersionOfDatabase): string {
  const rebuilt = version === 1 ? "" : `_r${version}`;
  return `${servedDatabaseOf(installation)}_v${LAYOUT_VERSION}${rebuilt}`;
}

/** The database of views over the live version: what data teams query, whichever version that is. */
export function servedDatabaseOf({ databasePrefix = PREFIX_DEFAULT }: DatabasesOfInstallation) {
  return databasePrefix;
}

/** Whether a database of this name can be the views of an installation: no version's tables, and none of the engine's own. */
export function isServedName(database: string): boolean {
  return !ENDS_AS_VERSION.test(database) && !ENGINE_DATABASES.has(database.toLowerCase());
}
