import { createHash } from "node:crypto";
import { ARTICLE_IDS_MAX, type ContentIndex } from "@feed/content-index";
import type { ActivityStore } from "@feed/activity-store";
import { USER_PARTITIONS } from "@feed/domain/limits";
import { asId, type ContentId, type TenantId } from "@feed/domain/ids";
import type { Topic } from "@feed/domain/topics";
import type { SubjectKey } from "@feed/domain/user";
import type { Core, WritableVersion } from "@feed/engines";
import { USERS_PER_READ_MAX, type ReadState } from "@feed/read-state";

/** Of each partition, from its end and from its start. */
const SAMPLED_RECORDS = 40;
const TENANTS_MAX = 50;
const LISTED_MAX = 1_000;

/** What two versions must agree in: totals are numbers, samples are texts that stand for records. */
export type Measures = ReadonlyMap<string, number | string>;

/** What is looked at in both versions: the same places of the log, the same tenants. */
export interface Sample {
  readonly subjects: readonly SubjectKey[];
  readonly contentIds: readonly ContentId[];
  readonly tenants: readonly TenantId[];
  /** `YYYY-MM` of the billing calendar. */
  readonly months: readonly string[];
}

/** Subjects and articles from both ends of every partition. */
export async function sampleOf(
  core: Pick<Core, "eventLog" | "codec">,
  tenants: readonly TenantId[],
  months: readonly string[],
): Promise<Sample> {
  const subjects = new Map<string, SubjectKey>();
  for (const fact of await sampledFacts(core, "users")) {
    if (!("subjectId" in fact) || fact.subjectId === undefined) continue;
    const { tenantId, subjectId } = fact;
    subjects.set(`${tenantId} ${subjectId}`, { tenantId, subjectId });
  }
  const contentIds = new Set<ContentId>();
  for (const fact of await sampledFacts(core, "contents")) {
    if (fact.type === "article.published") contentIds.add(asId(fact.article.contentId));
  }
  return {
    subjects: [...subjects.values()].slice(0, USERS_PER_READ_MAX),
    contentIds: [...contentIds].slice(0, ARTICLE_IDS_MAX),
    tenants: tenants.slice(0, TENANTS_MAX),
    months,
  };
}

async function sampledFacts({ eventLog, codec }: Pick<Core, "eventLog" | "codec">, topic: Topic) {
  const ends = await eventLog.endOffsets(topic);
  const pages = await Promise.all(
    ends.flatMap((end, partition) => {
      const froms = new Set([0, Math.max(0, end - SAMPLED_RECORDS)]);
      return [...froms].map((from) => eventLog.read(topic, partition, from, SAMPLED_RECORDS));
    }),
  );
  return pages.flatMap(({ records }) =>
    records.flatMap(({ value }) => {
      try {
        return value === null ? [] : [codec.decode(value)];
      } catch {
        // What nobody can read is in no version.
        return [];
      }
    }),
  );
}

/** Totals and samples of one version. */
export async function measured(
  { contentIndex, readState, activityStore }: WritableVersion,
  sample: Sample,
): Promise<Measures> {
  if (contentIndex !== undefined) return measuredIndex(contentIndex.index, sample);
  if (readState !== undefined) return measuredReadState(readState, sample);
  return activityStore === undefined ? new Map() : measuredActivity(activityStore, sample);
}

async function measuredIndex(index: ContentIndex, { contentIds }: Sample): Promise<Measures> {
  const { articles: total } = await index.stats();
  const articles = await index.articles(contentIds);
  const vectors = await index.vectors(contentIds);
  return new Map<string, number | string>([
    ["articles", total],
    ...articles.map((article) => [`article ${article.contentId}`, textOf(article)] as const),
    ...Array.from(vectors, ([id, vector]) => [`vector ${id}`, textOf([...vector])] as const),
  ]);
}

async function measuredReadState(
  readState: ReadState,
  { subjects, tenants, months }: Sample,
): Promise<Measures> {
  const measures = new Map<string, number | string>();
  const users = await readState.users(subjects);
  for (const [at, { tenantId, subjectId }] of subjects.entries()) {
    const marks = await readState.readMarks({ tenantId, subjectId });
    const said = [users[at] ?? null, [...marks].toSorted()];
    measures.set(`user ${subjectId} of ${tenantId}`, textOf(said));
  }
  for (const tenantId of tenants) {
    for (const month of months) {
      const partitions = Array.from({ length: USER_PARTITIONS }, (_, partition) => partition);
      const usages = await Promise.all(
        partitions.map((partition) => readState.usage(tenantId, month, partition)),
      );
      const tenths = usages.reduce((sum, usage) => sum + (usage?.tenths ?? 0), 0);
      measures.set(`tenths of credits of ${tenantId} in ${month}`, tenths);
    }
    const jobs = await readState.pushJobs(tenantId, null, LISTED_MAX);
    measures.set(`latest push jobs of ${tenantId}`, jobs.length);
    const deliveries = await readState.webhookDeliveries(tenantId, null, LISTED_MAX);
    measures.set(`latest webhook deliveries of ${tenantId}`, deliveries.length);
  }
  measures.set("open push jobs", (await readState.openPushJobs()).length);
  return measures;
}

async function measuredActivity(
  store: ActivityStore,
  { tenants, months }: Sample,
): Promise<Measures> {
  const measures = new Map<string, number | string>(await store.totals());
  for (const tenantId of tenants) {
    for (const month of months) {
      const days = await store.usageByDay(tenantId, month);
      const tenths = days.reduce((sum, { creditsTenths }) => sum + creditsTenths, 0);
      measures.set(`tenths of credits of ${tenantId} in ${month}`, tenths);
    }
    const { subjectIds } = await store.listUsers(tenantId, null, LISTED_MAX);
    measures.set(`first users of ${tenantId}`, textOf(subjectIds));
  }
  return measures;
}

/** Stands for a record: equal where the records are. Without what the record says, because reports are passed on. */
function textOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, ordered)).digest("base64url");
}

/** Engines give back the fields of a record in an order of their own. */
function ordered(_name: string, value: unknown): unknown {
  if (value instanceof Set) return [...value].toSorted();
  if (value instanceof Map) return [...value].toSorted();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
