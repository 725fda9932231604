import type { Readable } from "node:stream";
import { Transform } from "node:stream";
import type { SealedUserFact } from "@feed/domain/facts";
import { asId } from "@feed/domain/ids";
import type { SourceId, TenantId, UserId } from "@feed/domain/ids";
import {
  IMPORT_BYTES_MAX,
  IMPORT_ERRORS_LISTED_MAX,
  IMPORT_LINE_BYTES_MAX,
  IMPORT_LINES_MAX,
} from "@feed/domain/limits";
import { unreadable } from "../body-reader.ts";
import type { HttpApiDependencies } from "../dependencies.ts";
import type { UserImportAnswer, UserImportLine } from "../openapi.generated.ts";
import { Problem } from "../problem.ts";
import type { Fault } from "../problem.ts";
import { asUserId } from "../route-tools.ts";
import { placeOfUser, type UserPlace } from "../user-place.ts";
import type { RequestValidation } from "../validation.ts";
import { jsonLines } from "./json-lines.ts";

const LINES_PER_BATCH = 500;
const RECORDS_PER_APPEND = 5_000;

export type ImportDependencies = Pick<
  HttpApiDependencies,
  "directory" | "keyring" | "readState" | "personalData" | "eventLog" | "codec" | "clock"
>;

interface ImportOptions {
  readonly tenantId: TenantId;
  readonly validation: Pick<RequestValidation, "faultOf">;
  /** Called once, before the first line is taken. */
  readonly onBegin: () => Promise<void>;
}

/**
 * Saves the users of JSON Lines as PUT does, each line for itself, while they stream in. Lines are appended in batches:
 * where this rejects, those before were taken, and the same import again completes it.
 *
 * @throws Problem 413 beyond IMPORT_LINES_MAX and IMPORT_BYTES_MAX; LogUnavailable, ReadStateUnavailable.
 */
export async function importUsers(
  body: Readable,
  deps: ImportDependencies,
  options: ImportOptions,
): Promise<UserImportAnswer["data"]> {
  const errors: UserImportAnswer["data"]["errors"] = [];
  let lines = 0;
  let rejected = 0;
  let batch: UserImportLine[] = [];
  let hasBegun = false;
  const take = async () => {
    if (batch.length > 0 && !hasBegun) await options.onBegin();
    hasBegun ||= batch.length > 0;
    await append(batch, deps, options.tenantId);
    batch = [];
  };
  for await (const line of jsonLines(limited(body), IMPORT_LINE_BYTES_MAX)) {
    lines += 1;
    if (lines > IMPORT_LINES_MAX) throw tooLarge(`${IMPORT_LINES_MAX} lines`);
    const fault = "fault" in line ? line.fault : faultOf(line.value, deps, options);
    if (fault !== undefined) {
      rejected += 1;
      if (errors.length < IMPORT_ERRORS_LISTED_MAX) errors.push({ line: line.number, ...fault });
    } else if ("value" in line) batch.push(line.value as UserImportLine);
    if (batch.length >= LINES_PER_BATCH) await take();
  }
  await take();
  return { lines, accepted: lines - rejected, rejected, errors };
}

function limited(body: Readable): AsyncIterable<Uint8Array> {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= IMPORT_BYTES_MAX) done(null, chunk);
      else done(tooLarge(`${IMPORT_BYTES_MAX} bytes`));
    },
  });
  body.on("error", (error) => counting.destroy(unreadable(error)));
  body.on("close", () => {
    if (!body.readableEnded) counting.destroy(unreadable(new Error("the body was cut off")));
  });
  return body.pipe(counting);
}

function tooLarge(limit: string): Problem {
  return new Problem(
    "payload-too-large",
    `An import has at most ${limit}; the lines before were taken, and may be sent again.`,
  );
}

function faultOf(
  value: unknown,
  { directory }: ImportDependencies,
  { validation }: ImportOptions,
): Fault | undefined {
  const fault = validation.faultOf("UserImportLine", value, "");
  if (fault !== undefined) return fault;
  const { followed_sources = [], blocked_sources = [] } = value as UserImportLine;
  for (const [name, sources] of Object.entries({ followed_sources, blocked_sources })) {
    const unknown = sources.findIndex((id) => directory.source(asId<SourceId>(id)) === undefined);
    if (unknown >= 0) return { pointer: `/${name}/${unknown}`, detail: "is no source" };
  }
  const both = blocked_sources.findIndex((id) => followed_sources.includes(id));
  return both < 0
    ? undefined
    : { pointer: `/blocked_sources/${both}`, detail: "is followed as well" };
}

async function append(
  batch: readonly UserImportLine[],
  deps: ImportDependencies,
  tenantId: TenantId,
): Promise<void> {
  if (batch.length === 0) return;
  const receivedAtMs = deps.clock.nowMs();
  const placed = await Promise.all(
    batch.map(async (line) => {
      const place = await placeOfUser(deps, { tenantId, userId: asUserId(line.user_id) });
      return changesOf(line).map((change) => ({ place, ...change }));
    }),
  );
  const changes = placed.flat();
  const sealed = await deps.personalData.sealAll(
    changes.map(({ place: { subjectId, partition }, personal }) => ({
      tenantId,
      subjectId,
      partition,
      personal,
    })),
  );
  const records = changes.flatMap(({ place, fact }, at) => {
    const personal = sealed[at];
    if (personal === undefined) throw new Error("a change was not sealed");
    const { subjectId } = place;
    const whole = { ...fact, tenantId, subjectId, receivedAtMs, personal } as SealedUserFact;
    return [recordOf(whole, place, deps, receivedAtMs)];
  });
  for (let from = 0; from < records.length; from += RECORDS_PER_APPEND)
    await deps.eventLog.append(records.slice(from, from + RECORDS_PER_APPEND));
}

function recordOf(
  fact: SealedUserFact,
  { partition, subjectId }: UserPlace,
  { codec }: ImportDependencies,
  timestampMs: number,
) {
  const value = codec.encode(fact);
  return { topic: "users", partition, key: subjectId, value, timestampMs } as const;
}

/** What a line says, as the facts that requests about the user would append. */
function changesOf({
  user_id,
  properties = {},
  followed_sources = [],
  blocked_sources = [],
}: UserImportLine) {
  const userId: UserId = asUserId(user_id);
  const preference = (change: "follow" | "block") => (id: string) => {
    const sourceId = asId<SourceId>(id);
    const fact = { type: "user.source-preference-changed", sourceId, change } as const;
    return { fact, personal: { userId } };
  };
  return [
    { fact: { type: "user.properties-replaced" } as const, personal: { userId, properties } },
    ...followed_sources.map(preference("follow")),
    ...blocked_sources.map(preference("block")),
  ];
}
