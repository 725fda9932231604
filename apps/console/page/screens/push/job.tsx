import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { Facts } from "../../shared/facts.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Badge, Notice } from "../../shared/notice.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { Progress } from "../../shared/progress.tsx";
import { useReloadWhile } from "../../shared/reload-while.ts";
import { hashOf } from "../../shared/router.ts";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { Funnel } from "./funnel.tsx";
import { isMoving, TONES, type Job } from "./jobs.ts";
import { PUSH } from "./push.words.ts";
import { Result } from "./result.tsx";

/** One job: how far it is, what it counted, and its result. */
export function JobPage({ jobId }: { jobId: string }) {
  const said = useWords(PUSH);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const mayCancel = useMay("settings");
  const [isAsking, setAsking] = useState(false);
  const load = useLoad(
    () => api.call("adminGetPushJob", { tenant_id, job_id: jobId }),
    [tenant_id, jobId],
  );
  const isRunning = load.state === "ready" && isMoving(load.value);
  useReloadWhile(load, isMoving);
  const actions = (
    <>
      <a class="button" href={hashOf(["tenants", tenant_id, "push"])}>
        {said.back}
      </a>
      {mayCancel && isRunning && (
        <button type="button" class="danger" onClick={() => setAsking(true)}>
          {said.cancel}
        </button>
      )}
    </>
  );
  return (
    <Page title={jobId} actions={actions}>
      <Loaded load={load}>{(job) => <JobParts job={job} />}</Loaded>
      {isAsking && (
        <CancelDialog jobId={jobId} onCancelled={load.reload} onClose={() => setAsking(false)} />
      )}
    </Page>
  );
}

function JobParts({ job }: { job: Job }) {
  const said = useWords(PUSH);
  const format = useFormat();
  return (
    <>
      <div class="card">
        <p>
          <Badge tone={TONES[job.status]}>{said.statuses[job.status]}</Badge>
        </p>
        <Progress
          label={said.progress}
          share={job.progress / 100}
          text={format.share(job.progress / 100)}
        />
        <Failure job={job} />
      </div>
      <div class="columns">
        <Section title={said.job}>
          <Facts
            facts={[
              [said.scenario, job.scenario],
              [said.mode, said.modes[job.target_mode]],
              [said.created, format.time(job.created_at)],
              [said.completedAt, job.completed_at === null ? "" : format.time(job.completed_at)],
            ]}
          />
        </Section>
        <Section title={said.counters}>
          <Counters job={job} />
        </Section>
      </div>
      <Funnel job={job} />
      {job.status === "completed" && <Result job={job} />}
    </>
  );
}

function Failure({ job: { error } }: { job: Job }) {
  const said = useWords(PUSH);
  if (error === null) return null;
  const known: Partial<Record<string, string>> = said.errors;
  return (
    <Notice tone="bad">
      <p>
        {said.failed}: {known[error.code] ?? said.otherError}
      </p>
      <p class="small" lang="en">
        {error.message}
      </p>
    </Notice>
  );
}

function Counters({ job }: { job: Job }) {
  const said = useWords(PUSH);
  const format = useFormat();
  const unknown = isMoving(job) ? said.notYet : "–";
  const final = (value: number | null) => (value === null ? unknown : format.number(value));
  const { target_user_count: target } = job;
  return (
    <Facts
      facts={[
        [said.target, target === null ? said.notKnown : format.number(target)],
        [said.candidates, final(job.candidates_generated)],
        [said.failedUsers, final(job.failed_user_count)],
        [said.credits, format.number(job.consumed_credits)],
      ]}
    />
  );
}

interface CancelProps {
  readonly jobId: string;
  readonly onCancelled: () => void;
  readonly onClose: () => void;
}

function CancelDialog({ jobId, onCancelled, onClose }: CancelProps) {
  const said = useWords(PUSH);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const cancel = async () => {
    await api.call("adminCancelPushJob", { tenant_id, job_id: jobId });
    announce(said.cancelled);
    onCancelled();
    onClose();
  };
  return (
    <ConfirmDialog
      title={said.cancelTitle}
      verb={said.cancel}
      isDangerous
      onConfirm={cancel}
      onClose={onClose}
    >
      <p>{said.cancelText}</p>
    </ConfirmDialog>
  );
}
