import { setImmediate as nextTurn } from "node:timers/promises";
import type { ContentId, TenantId } from "@feed/domain/ids";
import type { PushJobState } from "@feed/domain/push";
import type { PushChunkDone } from "@feed/domain/push-facts";
import type { Scenario } from "@feed/domain/scenario";
import type { Tenant } from "@feed/domain/tenant";
import type { UserRecord } from "@feed/read-state";
import type { PushDependencies } from "../dependencies.ts";
import { isPartAway, PushFailure } from "../failures.ts";
import type { AudienceMember } from "../objects.ts";
import type { JobBasis } from "./basis.ts";
import {
  chooseCandidates,
  explainCandidates,
  type ChosenArticle,
  type ExplainedArticle,
  type Recipient,
} from "./choose-candidates.ts";
import { buildPool, type Pool } from "./pool.ts";
import { Recipients, unknownRecipient } from "./recipients.ts";
import { Rows } from "./rows.ts";

/** Calls for one user before it counts as failed (spec 2.9: even after automatic retries). */
const USER_ATTEMPTS_MAX = 3;
/** Users between two turns of the event loop, so that heartbeats and facts get through. */
const USERS_PER_TURN = 25;
/** Users loaded at once: few enough that what was loaded is garbage before the collector takes it for lasting. */
const USERS_PER_BLOCK = 100;

/** What a line is made from, loaded for a block of users at once. */
interface LoadedUser {
  readonly member: AudienceMember;
  readonly record: UserRecord | undefined;
  readonly readMarks: Promise<ReadonlySet<ContentId>>;
  readonly sent: readonly ContentId[];
}

export type GeneratedChunk = Pick<
  PushChunkDone,
  | "users"
  | "usersWithCandidates"
  | "usersFailed"
  | "candidates"
  | "contentIds"
  | "subjectIds"
  | "pickCounts"
  | "picks"
> & { readonly content: Buffer };

export type ExplainedContent = Omit<ExplainedArticle, "row"> & { readonly contentId: ContentId };

export interface GenerationRequest {
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly candidatesPerUser: number;
  /** When the audience was resolved: the time everything is scored at. */
  readonly nowMs: number;
  /** Offset of the fact that says so: what jobs completed before it have sent is left out. */
  readonly audienceOffset: number;
}

/** Makes the lines of one job; its pool is built once. */
export class Generation {
  readonly #deps: PushDependencies;
  readonly #request: GenerationRequest;
  readonly #scenario: Scenario;
  readonly #pool: Pool;
  readonly #recipients: Recipients;
  readonly #rows: Rows;
  /** Whether an ended job's choice counts as sent for this one. */
  readonly #countsAsSent = new Map<string, boolean>();

  private constructor(
    deps: PushDependencies,
    request: GenerationRequest,
    job: { readonly tenant: Tenant; readonly scenario: Scenario },
    pool: Pool,
  ) {
    const { nowMs, jobId } = request;
    this.#deps = deps;
    this.#request = request;
    this.#scenario = job.scenario;
    this.#pool = pool;
    this.#recipients = new Recipients(deps, { ...job, nowMs });
    this.#rows = new Rows(deps, { ...job, nowMs, jobId }, pool);
  }

  /** Errors: PushFailure `internal` where the tenant is gone; what the parts throw. */
  static async open(
    deps: PushDependencies,
    request: GenerationRequest,
    basis: JobBasis,
  ): Promise<Generation> {
    const tenant = deps.directory.tenant(request.tenantId);
    if (tenant === undefined) throw new PushFailure("internal", "The job's tenant is gone.");
    const pool = await buildPool(deps, basis, request.nowMs);
    return new Generation(deps, request, { tenant, scenario: basis.scenario }, pool);
  }

  /** Lines of these users, in their order. Errors: of a part that is away; a fault of one user is that user's line. */
  async chunk(members: readonly AudienceMember[]): Promise<GeneratedChunk> {
    const tally = new ChunkTally(this.#pool);
    const lines: string[] = [];
    for (let from = 0; from < members.length; from += USERS_PER_BLOCK) {
      for (const user of await this.#load(members.slice(from, from + USERS_PER_BLOCK))) {
        if (lines.length % USERS_PER_TURN === 0) await nextTurn();
        lines.push(await this.#lineOf(user, tally));
      }
    }
    return tally.result(members.length, lines);
  }

  /** What one user of a job would get, or whoever is not known. Errors: of a part that is away. */
  async explained(member: AudienceMember | undefined): Promise<readonly ExplainedContent[]> {
    const [user] = member === undefined ? [] : await this.#load([member]);
    const recipient = user === undefined ? unknownRecipient([]) : await this.#recipientOf(user);
    if (recipient === undefined) return [];
    const { candidatesPerUser: count, nowMs } = this.#request;
    const { settings } = this.#scenario;
    const chosen = explainCandidates(this.#pool, settings, recipient, { count, nowMs });
    return chosen.map(({ row, score, explanation }) => {
      return { contentId: contentAt(this.#pool, row), score, explanation };
    });
  }

  async #load(members: readonly AudienceMember[]): Promise<readonly LoadedUser[]> {
    const { readState } = this.#deps;
    const { tenantId } = this.#request;
    const keys = members.map(({ subjectId }) => ({ tenantId, subjectId }));
    const records = await readState.users(keys);
    const marks = this.#scenario.settings.excludeSent ? await readState.sentMarks(keys) : [];
    const jobs = new Set(marks.flatMap((ofUser) => ofUser.map(({ jobId }) => jobId)));
    for (const jobId of jobs) await this.#learn(jobId);
    await this.#recipients.prepare(
      records.flatMap((record) => (record?.kind === "user" ? record.state : [])),
    );
    return members.map((member, index) => ({
      member,
      record: records[index],
      readMarks: this.#readMarksOf(member, records[index]),
      sent: (marks[index] ?? []).flatMap(({ jobId, contentIds }) =>
        this.#countsAsSent.get(jobId) === true ? contentIds : [],
      ),
    }));
  }

  /** Asked for all users of a block before the first is waited for; whoever needs them meets the error. */
  #readMarksOf(
    { subjectId }: AudienceMember,
    record: UserRecord | undefined,
  ): LoadedUser["readMarks"] {
    if (record?.kind !== "user") return Promise.resolve(new Set());
    const asked = this.#deps.readState.readMarks({ tenantId: this.#request.tenantId, subjectId });
    asked.catch(() => undefined);
    return asked;
  }

  async #learn(jobId: string): Promise<void> {
    if (this.#countsAsSent.has(jobId)) return;
    const record = await this.#deps.readState.pushJob(this.#request.tenantId, jobId);
    this.#countsAsSent.set(jobId, wasSentBefore(record?.state, this.#request.audienceOffset));
  }

  async #lineOf(loaded: LoadedUser, tally: ChunkTally): Promise<string> {
    const { userId, subjectId } = loaded.member;
    let user = loaded;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const chosen = await this.#choose(user);
        if (chosen.length === 0) return this.#rows.emptyLine(userId, "no_matching_content");
        const line = this.#rows.line(userId, chosen);
        tally.add(subjectId, chosen);
        return line;
      } catch (error) {
        if (isPartAway(error)) throw error;
        user = { ...loaded, readMarks: this.#readMarksOf(loaded.member, loaded.record) };
        if (attempt < USER_ATTEMPTS_MAX) continue;
        const { jobId } = this.#request;
        this.#deps.log.error({ err: error, jobId, subjectId }, "no candidates could be generated");
        tally.fail();
        return this.#rows.emptyLine(userId, "generation_failed");
      }
    }
  }

  async #choose(user: LoadedUser): Promise<readonly ChosenArticle[]> {
    const recipient = await this.#recipientOf(user);
    if (recipient === undefined) return [];
    const { candidatesPerUser: count, nowMs } = this.#request;
    return chooseCandidates(this.#pool, this.#scenario.settings, recipient, { count, nowMs });
  }

  /** Undefined: deleted since the audience was resolved, and gets a line without candidates. */
  async #recipientOf({ record, readMarks, sent }: LoadedUser): Promise<Recipient | undefined> {
    if (record?.kind === "forgotten") return undefined;
    if (record === undefined) return unknownRecipient(sent);
    return this.#recipients.of({ state: record.state, readMarks: await readMarks, sent });
  }
}

/** "Already sent" looks at jobs completed before this one's audience was resolved (decisions, "Push jobs"). */
function wasSentBefore(job: PushJobState | undefined, audienceOffset: number): boolean {
  const completed = job?.completed;
  return completed !== undefined && completed !== null && completed.offset < audienceOffset;
}

function contentAt({ candidates }: Pool, row: number): ContentId {
  const contentId = candidates.articles[row]?.contentId;
  if (contentId === undefined) throw new Error(`the pool has no row ${row}`);
  return contentId;
}

/** Counts what a chunk gave to whom. */
class ChunkTally {
  readonly #pool: Pool;
  readonly #contentIndexes = new Map<ContentId, number>();
  readonly #subjectIds: AudienceMember["subjectId"][] = [];
  readonly #pickCounts: number[] = [];
  readonly #picks: number[] = [];
  #usersFailed = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  add(subjectId: AudienceMember["subjectId"], chosen: readonly ChosenArticle[]): void {
    this.#subjectIds.push(subjectId);
    this.#pickCounts.push(chosen.length);
    for (const { row } of chosen) {
      const contentId = contentAt(this.#pool, row);
      const index = this.#contentIndexes.get(contentId) ?? this.#contentIndexes.size;
      this.#contentIndexes.set(contentId, index);
      this.#picks.push(index);
    }
  }

  fail(): void {
    this.#usersFailed += 1;
  }

  result(users: number, lines: readonly string[]): GeneratedChunk {
    return {
      users,
      usersWithCandidates: this.#subjectIds.length,
      usersFailed: this.#usersFailed,
      candidates: this.#picks.length,
      contentIds: [...this.#contentIndexes.keys()],
      subjectIds: this.#subjectIds,
      pickCounts: this.#pickCounts,
      picks: this.#picks,
      content: Buffer.from(lines.join("")),
    };
  }
}
