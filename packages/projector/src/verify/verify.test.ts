import { join } from "node:path";
import { openEmbeddedContentIndex } from "@feed/content-index/embedded";
import type { ContentIndex } from "@feed/content-index";
import { asId, type ContentId, type TenantId } from "@feed/domain/ids";
import {
  buildArticle,
  buildBehaviourRecorded as event,
  temporaryDirectory,
  waitFor,
} from "@feed/test-kit";
import { withMethods } from "@feed/test-kit/with-methods";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLetters } from "../dead-letters/letters.ts";
import { projectionLag } from "../lag.ts";
import { runProjector } from "../projector.ts";
import {
  appendUserFacts,
  clock,
  codec,
  log,
  openInstallation,
  recordOf,
} from "../testing/installation.ts";
import type { Installation } from "../testing/installation.ts";
import { randomUserFacts } from "../testing/random-facts.ts";
import { allChecks } from "./all-checks.ts";
import { verifyReadModels } from "./verify.ts";

/**
 * Goal: `verify` finds what is wrong, and nothing else. Method: an installation that is right, looked at as it stands,
 * while it is changed, and after a record of each kind was changed past the log.
 */
const TENANT = asId<TenantId>("tenant-1");
const MIXED = { users: 30, profileShare: 0.2, deletionShare: 0.01 };
const MODEL = "test-4";
const AFTER_ALL = 1_000_000;

const stack = new AsyncDisposableStack();
let installation: Installation;
let index: ContentIndex;
const embedder = { model: MODEL, embed: async () => [] };

beforeAll(async () => {
  const { path } = stack.use(await temporaryDirectory());
  installation = stack.use(await openInstallation(path));
  const own = { directory: join(path, "index"), model: MODEL, dimensions: 4 };
  index = stack.use(await openEmbeddedContentIndex(own));
  // One fact makes no sense: no projection takes it, and none has to have it.
  await appendUserFacts(installation, [...randomUserFacts(7, 600, MIXED), event({ personal: {} })]);
  await appendDelivery(10);
  await appendArticles("a", "b");
  // The index refuses the third: its vector is not of unit length.
  await installation.eventLog.append([published("refused", [2, 0, 0, 0])]);
  await using _projector = await project();
  await caughtUp();
});
afterAll(() => stack.disposeAsync());

function project() {
  const services = { codec, clock, log };
  return runProjector({ ...installation, ...services, contentIndex: { index, embedder } });
}

async function caughtUp(): Promise<void> {
  const { eventLog, readState } = installation;
  for (const topic of ["users", "deliveries"] as const) {
    const lag = async () => projectionLag(eventLog, topic, await readState.positions(topic));
    await waitFor(async () => (await lag()) === 0);
  }
  const ofIndex = async () => projectionLag(eventLog, "contents", await index.positions());
  await waitFor(async () => (await ofIndex()) === 0);
}

function published(id: string, vector = [1, 0, 0, 0]) {
  const embedding = { model: MODEL, vector: Float32Array.from(vector) };
  const article = buildArticle({ contentId: asId<ContentId>(id), embedding });
  return recordOf("contents", 5, { type: "article.published", article });
}

const appendArticles = (...ids: readonly string[]) =>
  installation.eventLog.append(ids.map((id) => published(id)));

const appendDelivery = (creditsTenths: number) =>
  installation.eventLog.append([
    recordOf("deliveries", 3, {
      type: "feed.delivered",
      tenantId: TENANT,
      requestId: crypto.randomUUID(),
      scenario: "main",
      items: [],
      creditsTenths,
      servedAtMs: clock.nowMs(),
    }),
  ]);

async function verify(readState = installation.readState) {
  const { eventLog } = installation;
  const checks = allChecks(
    { readState, contentIndex: { index, embedder } },
    { codec, personalData: installation.personalData },
  );
  const { signal } = new AbortController();
  const letters = await readLetters({ eventLog, codec });
  const progress: (readonly [number, number])[] = [];
  const onProgress = (done: number, total: number) => progress.push([done, total]);
  const results = await verifyReadModels(checks, { eventLog, letters, signal, onProgress });
  const of = new Map(results.map((result) => [result.projection, result]));
  return { of, progress, differences: results.flatMap(({ differences }) => differences) };
}

describe("verify", () => {
  it("finds nothing where the read models are what the log makes of them, and says how far it is", async () => {
    const { of, progress, differences } = await verify();
    expect(differences).toEqual([]);
    expect(of.get("read-state.users")).toMatchObject({ records: 601 });
    expect(of.get("read-state.users")?.compared).toBeGreaterThan(30);
    expect(of.get("read-state.deliveries")).toMatchObject({ records: 1, compared: 1 });
    expect(of.get("content-index")).toMatchObject({ records: 3, compared: 3 });
    expect(progress.at(-1)).toEqual([605, 605]);
  });

  it("compares up to where a read model stands: what is not projected yet is no difference", async () => {
    await appendUserFacts(installation, randomUserFacts(8, 50, MIXED));
    await appendArticles("c");
    const { of, differences } = await verify();
    expect(differences).toEqual([]);
    expect(of.get("read-state.users")).toMatchObject({ records: 601 });
  });

  it("finds nothing in what the projector changes between fold and look", async () => {
    await appendUserFacts(installation, [event({ kind: "session_start" })]);
    await using _projector = await project();
    await caughtUp();
    const { readState } = installation;
    let changes = 0;
    const changing = withMethods(readState, {
      users: async (keys) => {
        if (changes === 0 && keys.some(({ subjectId }) => subjectId === event().subjectId)) {
          changes += 1;
          await appendUserFacts(installation, [event({ kind: "session_start", eventId: "next" })]);
          await caughtUp();
        }
        return readState.users(keys);
      },
    });
    expect((await verify(changing)).differences).toEqual([]);
    expect(changes).toBe(1);
  });

  it("names records that were changed past the log, by kind", async () => {
    const { readState } = installation;
    const key = { tenantId: TENANT, subjectId: event().subjectId };
    const [user] = await readState.users([key]);
    if (user?.kind !== "user") throw new Error("there is no user");
    const state = { ...user.state, totalSessions: 7 };
    const contentId = asId<ContentId>("never-clicked");
    const none = new Map<number, number>();
    await readState.apply("users", [{ kind: "put-user", key, state, offset: AFTER_ALL }], none);
    await readState.apply("users", [{ kind: "mark-read", key, contentId, atMs: 1 }], none);
    const usage = { tenantId: TENANT, month: "2026-11", partition: 3, tenths: 20 } as const;
    await readState.apply("deliveries", [{ kind: "put-usage", ...usage, offset: AFTER_ALL }], none);
    const withdrawn = { contentId: asId<ContentId>("a"), offset: AFTER_ALL };
    await index.apply([{ kind: "withdraw", ...withdrawn }], none);
    const { differences } = await verify();
    const name = `${key.subjectId} of ${TENANT}`;
    expect(differences).toEqual([
      { kind: "article", name: "a", place: { partition: 5, offset: 0 } },
      { kind: "user", name },
      { kind: "read contents", name },
      { kind: "credits used", name: `2026-11 of ${TENANT}, partition 3` },
    ]);
  });
});
