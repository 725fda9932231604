import type { ScreenProps } from "../../routes.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { More } from "../../shared/more.tsx";
import { Badge } from "../../shared/notice.tsx";
import { Loaded, Page } from "../../shared/page.tsx";
import { usePages } from "../../shared/pages.ts";
import { useReloadWhile } from "../../shared/reload-while.ts";
import { hashOf } from "../../shared/router.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { JobPage } from "./job.tsx";
import { isMoving, TONES, type Job } from "./jobs.ts";
import { PUSH } from "./push.words.ts";

/** The push jobs of a tenant, or the one whose id is the next step of the address. */
export function PushScreen({ steps: [jobId] }: ScreenProps) {
  return jobId === undefined ? <JobList /> : <JobPage key={jobId} jobId={jobId} />;
}

function JobList() {
  const said = useWords(PUSH);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const pages = usePages(
    (cursor) =>
      api.call("adminListPushJobs", { tenant_id, ...(cursor !== undefined && { cursor }) }),
    [tenant_id],
  );
  const { load } = pages;
  useReloadWhile(load, (jobs) => jobs.some(isMoving));
  return (
    <Page title={said.title} lead={said.lead}>
      <div class="card">
        <Loaded load={load}>{(jobs) => <JobTable jobs={jobs} />}</Loaded>
        <More pages={pages} />
      </div>
    </Page>
  );
}

function JobTable({ jobs }: { jobs: readonly Job[] }) {
  const said = useWords(PUSH);
  const format = useFormat();
  const tenant_id = useTenantId();
  const count = (value: number | null) => (value === null ? "" : format.number(value));
  return (
    <Table
      caption={said.jobs}
      rows={jobs}
      keyOf={({ job_id }) => job_id}
      empty={said.noJobs}
      columns={[
        {
          title: said.job,
          cell: ({ job_id }) => (
            <a href={hashOf(["tenants", tenant_id, "push", job_id])}>{job_id}</a>
          ),
        },
        { title: said.created, cell: ({ created_at }) => format.time(created_at) },
        { title: said.scenario, cell: ({ scenario }) => scenario },
        { title: said.mode, cell: ({ target_mode }) => said.modes[target_mode] },
        {
          title: said.status,
          cell: (job) => (
            <Badge tone={TONES[job.status]}>
              {said.statuses[job.status]}
              {job.status === "processing" && ` ${format.share(job.progress / 100)}`}
            </Badge>
          ),
        },
        { title: said.users, cell: (job) => count(job.target_user_count), isNumber: true },
        { title: said.candidates, cell: (job) => count(job.candidates_generated), isNumber: true },
        { title: said.credits, cell: (job) => count(job.consumed_credits), isNumber: true },
      ]}
    />
  );
}
