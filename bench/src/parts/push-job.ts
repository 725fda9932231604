import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceProcess } from "@feed/test-kit/service-process";
import { note } from "../progress.ts";
import { format } from "../results.ts";

const SCENARIO = "daily";
const CANDIDATES_PER_USER = 3;
const POLL_MS = 100;

type Service = Pick<ServiceProcess, "baseUrl">;

interface Job {
  readonly status: string;
  readonly target_user_count: number | null;
  readonly candidates_generated: number | null;
}

export interface JobOptions {
  /** Whom the job must have found. */
  readonly users: number;
  /** Absent: everybody. */
  readonly userIds?: readonly string[];
}

export async function saveScenario({ baseUrl }: Service, dataDirectory: string): Promise<void> {
  const token = (await readFile(join(dataDirectory, "admin.token"), "utf8")).trim();
  const url = `${baseUrl}/admin/v1/tenants/bench/scenarios/${SCENARIO}`;
  const answer = await fetch(url, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ type: "push" }),
  });
  if (!answer.ok) throw new Error(`the scenario was refused: ${await answer.text()}`);
}

/** Resolves when the job is completed; throws when it failed, or was for others than `users`. */
export async function runJob(
  { baseUrl }: Service,
  apiKey: string,
  { users, userIds }: JobOptions,
): Promise<void> {
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  const body = JSON.stringify({
    scenario: SCENARIO,
    candidates_per_user: CANDIDATES_PER_USER,
    ...(userIds && { target_mode: "manual", user_ids: userIds }),
  });
  const accepted = await fetch(`${baseUrl}/v1/push-candidates`, { method: "POST", headers, body });
  if (!accepted.ok) throw new Error(`the job was refused: ${await accepted.text()}`);
  const { job_id: jobId } = (await accepted.json()) as { readonly job_id: string };
  for (;;) {
    const answer = await fetch(`${baseUrl}/v1/push-candidates/${jobId}`, { headers });
    const job = (await answer.json()) as Job;
    if (job.status === "failed") throw new Error(`the job failed: ${JSON.stringify(job)}`);
    if (job.status === "completed") {
      if (job.target_user_count !== users) throw new Error(`for ${job.target_user_count} users`);
      note(`${format(job.candidates_generated ?? 0)} candidates`);
      return;
    }
    await delay(POLL_MS);
  }
}
