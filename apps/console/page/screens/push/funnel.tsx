import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { Section } from "../../shared/page.tsx";
import { Table } from "../../shared/table.tsx";
import { funnelOf, type FunnelStep, type Job } from "./jobs.ts";
import { PUSH } from "./push.words.ts";

/** How an audience by conditions came to be; nothing for jobs that have no such numbers. */
export function Funnel({ job }: { job: Job }) {
  const said = useWords(PUSH);
  const format = useFormat();
  const steps = funnelOf(job);
  if (steps === undefined) return null;
  return (
    <Section title={said.funnel}>
      <Table<FunnelStep>
        caption={said.funnel}
        rows={steps}
        keyOf={({ name }) => name}
        empty=""
        columns={[
          { title: said.step, cell: ({ name }) => said.steps[name] },
          { title: said.users, cell: ({ users }) => format.number(users), isNumber: true },
          { title: said.share, cell: (step) => <Share step={step} /> },
        ]}
      />
      <p class="small">{said.funnelNote}</p>
    </Section>
  );
}

function Share({ step: { name, share } }: { step: FunnelStep }) {
  const format = useFormat();
  const isExclusion = name !== "total_audience" && name !== "target";
  return (
    <div class="share">
      <div class={isExclusion ? "bar warning" : "bar"} aria-hidden="true">
        <div style={{ width: `${Math.min(1, share) * 100}%` }} />
      </div>
      {format.share(share)}
    </div>
  );
}
