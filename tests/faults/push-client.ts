import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@feed/test-kit";
import { TENANT_ID } from "../../bench/src/installation/directory-facts.ts";
import { answerTo } from "../answer-to.ts";

const EVENTS_PER_REQUEST = 100;
const SCENARIO = "daily";

export interface PushJob {
  readonly status: string;
  readonly progress: number;
  readonly target_user_count: number | null;
  readonly candidates_generated: number | null;
  readonly consumed_credits: number;
  readonly download_url: string | null;
  readonly error: unknown;
}

export interface ResultLine {
  readonly user_id: string;
  readonly candidates: readonly { readonly id: string }[];
}

interface Place {
  readonly apiKey: string;
  readonly dataDirectory: string;
}

/** What these tests ask about push jobs, as a tenant and as the operator. */
export interface PushClient {
  /** Saves a push scenario. */
  readonly saveScenario: () => Promise<void>;
  readonly saveWebhook: (url: string) => Promise<void>;
  /** Users `user-0`, `user-1`, … become known. */
  readonly createUsers: (count: number) => Promise<void>;
  /** Repeated until it is taken, as a client does; the key makes one job of all. Resolves with its id when it is visible. */
  readonly post: (key: string, candidatesPerUser: number) => Promise<string>;
  readonly job: (jobId: string) => Promise<PushJob>;
  readonly completed: (jobId: string, timeoutMs: number) => Promise<PushJob>;
  readonly lines: (job: PushJob) => Promise<readonly ResultLine[]>;
}

/** Calls as the tenant, or as the operator where the path is the admin API's. */
async function callerOf(baseUrl: string, { apiKey, dataDirectory }: Place) {
  const adminToken = (await readFile(join(dataDirectory, "admin.token"), "utf8")).trim();
  const call = (method: string, path: string, body?: unknown, extra: object = {}) => {
    const token = path.startsWith("/admin/") ? adminToken : apiKey;
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    return fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...extra },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  /** Sent again while it is answered 503, which all that is sent here bears. */
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await answerTo(() => call(method, path, body));
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<never>;
  };
  return { call, send };
}

export async function pushClientOf(baseUrl: string, place: Place): Promise<PushClient> {
  const { call, send } = await callerOf(baseUrl, place);
  const ofTenant = `/admin/v1/tenants/${TENANT_ID}`;
  const job = (jobId: string): Promise<PushJob> => send("GET", `/v1/push-candidates/${jobId}`);
  return {
    job,
    saveScenario: () => send("PUT", `${ofTenant}/scenarios/${SCENARIO}`, { type: "push" }),
    saveWebhook: (url) => send("PUT", `${ofTenant}/webhook`, { url }),
    async createUsers(count) {
      for (let from = 0; from < count; from += EVENTS_PER_REQUEST) {
        const size = Math.min(EVENTS_PER_REQUEST, count - from);
        const events = Array.from({ length: size }, (_, at) => {
          const user = `user-${from + at}`;
          return { type: "session_start", user_id: user, session_id: user, event_id: user };
        });
        await send("POST", "/v1/events", { events });
      }
    },
    async post(key, candidatesPerUser) {
      const body = { scenario: SCENARIO, candidates_per_user: candidatesPerUser };
      const headers = { "Idempotency-Key": key };
      let jobId = "";
      const isAccepted = async () => {
        const answer = await call("POST", "/v1/push-candidates", body, headers);
        if (answer.ok) jobId = ((await answer.json()) as { readonly job_id: string }).job_id;
        return answer.ok;
      };
      await waitFor(isAccepted);
      // It is accepted, and on a busy machine not visible yet.
      const path = `/v1/push-candidates/${jobId}`;
      await waitFor(async () => (await call("GET", path)).ok);
      return jobId;
    },
    async completed(jobId, timeoutMs) {
      const hasEnded = async () => ["completed", "failed"].includes((await job(jobId)).status);
      await waitFor(hasEnded, { timeoutMs });
      const ended = await job(jobId);
      if (ended.status !== "completed") throw new Error(`the job failed: ${JSON.stringify(ended)}`);
      return ended;
    },
    async lines({ download_url }) {
      // Issued before a restart, it names the port of then.
      const { pathname, search } = new URL(download_url ?? "");
      const text = await (await fetch(`${baseUrl}${pathname}${search}`)).text();
      const lines = text.split("\n");
      if (lines.pop() !== "") throw new Error("the last line is cut");
      return lines.map((line) => JSON.parse(line) as ResultLine);
    },
  };
}

/** `count` users as results name them, in order. */
export function userIds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `user-${at}`).toSorted();
}
