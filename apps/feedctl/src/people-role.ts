import { openCore, type InstallationConfig } from "@feed/engines";
import { PeopleDesk } from "@feed/http-api/people/people-desk";
import { systemClock, type LogLevel } from "@feed/runtime";
import { openTenantDirectory, type TenantDirectory } from "@feed/tenant-directory";
import { roleLogger, unreadable } from "./up/logging.ts";

/** The people of an installation, which may be running. */
export interface PeopleRole extends AsyncDisposable {
  readonly directory: TenantDirectory;
  readonly people: PeopleDesk;
  stamp(): { readonly actor: string; readonly atMs: number };
}

export async function openPeople(
  installation: InstallationConfig,
  logLevel: LogLevel,
): Promise<PeopleRole> {
  const clock = systemClock;
  await using opened = new AsyncDisposableStack();
  const log = roleLogger("admin", logLevel);
  const core = opened.use(await openCore(installation, clock, log));
  const directory = opened.use(
    await openTenantDirectory({ ...core, clock, onUnreadable: unreadable(log) }),
  );
  const people = new PeopleDesk({ directory, keyring: core.keyring });
  const owned = opened.move();
  return {
    directory,
    people,
    stamp: () => ({ actor: "feedctl", atMs: clock.nowMs() }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
