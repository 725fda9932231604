import { useState } from "preact/hooks";
import { COMMON } from "../../shared/common.words.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useAction } from "../../shared/load.ts";
import { ProblemNotice } from "../../shared/notice.tsx";
import { Section } from "../../shared/page.tsx";
import { Table } from "../../shared/table.tsx";
import type { Job } from "./jobs.ts";
import { PUSH } from "./push.words.ts";
import { isReadable, sampleRows, type SampleRow } from "./sample-rows.ts";

/** The result of a completed job: as a file, and its first rows. */
export function Result({ job }: { job: Job }) {
  const said = useWords(PUSH);
  const format = useFormat();
  const { download_url: url, download_url_expires_at: until } = job;
  return (
    <Section title={said.result}>
      {url === null ? (
        <p>{said.resultGone}</p>
      ) : (
        <>
          <div class="actions">
            <a class="button" href={url} download={`${job.job_id}.jsonl`}>
              {said.download}
            </a>
          </div>
          {until !== null && <p class="small">{said.until(format.time(until))}</p>}
          {isReadable(url) ? <Sample url={url} /> : <p class="small">{said.sampleElsewhere}</p>}
        </>
      )}
    </Section>
  );
}

function Sample({ url }: { url: string }) {
  const said = useWords(PUSH);
  const common = useWords(COMMON);
  const action = useAction();
  const [rows, setRows] = useState<readonly SampleRow[] | undefined>(undefined);
  const show = () => action.run(async () => setRows(await sampleRows(url)));
  if (rows !== undefined) return <SampleTable rows={rows} />;
  return (
    <>
      <ProblemNotice error={action.error} />
      <div class="actions">
        <button type="button" disabled={action.isBusy} onClick={show}>
          {action.isBusy ? common.working : said.sample}
        </button>
      </div>
    </>
  );
}

function SampleTable({ rows }: { rows: readonly SampleRow[] }) {
  const said = useWords(PUSH);
  const format = useFormat();
  const reasons: Partial<Record<string, string>> = said.reasons;
  return (
    <>
      <h3>{said.sampleTitle}</h3>
      <Table
        caption={said.sampleTitle}
        rows={rows}
        keyOf={({ user_id }) => user_id}
        empty={said.noArticles}
        columns={[
          { title: said.user, cell: ({ user_id }) => user_id },
          {
            title: said.articles,
            cell: ({ candidates, empty_reason = "" }) =>
              candidates.length === 0 ? (
                (reasons[empty_reason] ?? said.reasons.generation_failed)
              ) : (
                <ol class="changes">
                  {candidates.map(({ id, title, source, score }) => (
                    <li key={id}>
                      {title} <span class="small">{`${source.name}, ${format.number(score)}`}</span>
                    </li>
                  ))}
                </ol>
              ),
          },
        ]}
      />
    </>
  );
}
