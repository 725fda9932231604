import type { Answer } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useAction, useLoad, type Action } from "../../shared/load.ts";
import { Badge, ProblemNotice, type Tone } from "../../shared/notice.tsx";
import { Loaded, Section } from "../../shared/page.tsx";
import { useSession } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { OPERATIONS } from "./operations.words.ts";

type Source = Answer<"adminListSources">["data"][number];

const TONES: Readonly<Record<Source["health"]["status"], Tone>> = {
  new: "plain",
  ok: "good",
  failing: "bad",
  paused: "warning",
};

/** How the crawling of each source goes. `round`: how often it was asked for anew. */
export function Sources({ round }: { round: number }) {
  const said = useWords(OPERATIONS);
  const { api } = useSession();
  const action = useAction();
  const load = useLoad(() => api.call("adminListSources", {}), [round]);
  return (
    <Section title={said.sources}>
      <ProblemNotice error={action.error} />
      <Loaded load={load}>
        {({ data }) => <SourceTable sources={data} action={action} onChanged={load.reload} />}
      </Loaded>
      <p class="small">
        {said.delay}: {said.delayNote}
      </p>
    </Section>
  );
}

interface TableProps {
  readonly sources: readonly Source[];
  readonly action: Action;
  readonly onChanged: () => void;
}

function SourceTable({ sources, action, onChanged }: TableProps) {
  const said = useWords(OPERATIONS);
  const common = useWords(COMMON);
  const format = useFormat();
  return (
    <Table
      caption={said.sources}
      rows={sources}
      keyOf={({ source_id }) => source_id}
      empty={said.noSources}
      columns={[
        { title: said.source, cell: (source) => <Name source={source} /> },
        {
          title: said.health,
          cell: ({ health: { status } }) => (
            <Badge tone={TONES[status]}>{said.healths[status]}</Badge>
          ),
        },
        {
          title: said.lastSuccess,
          cell: ({ health: { status, last_success_at: last } }) => {
            if (status === "new") return said.notEnded;
            return last === null ? common.never : format.time(last);
          },
        },
        {
          title: said.nextDue,
          cell: ({ health: { next_due_at: due } }) => (due === null ? "" : format.time(due)),
        },
        {
          title: said.errorRate,
          cell: ({ health: { error_rate: rate } }) => (rate === null ? "" : format.share(rate)),
          isNumber: true,
        },
        {
          title: said.delay,
          cell: ({ health: { lag_ms: lag } }) => (lag === null ? "" : format.duration(lag)),
          isNumber: true,
        },
        {
          title: said.actions,
          cell: (source) => <Actions source={source} action={action} onChanged={onChanged} />,
        },
      ]}
    />
  );
}

/** The name, and below it what went wrong lately. */
function Name({ source: { name, url, paused_reason, health } }: { source: Source }) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  return (
    <>
      {name}
      <div class="small">{url}</div>
      {paused_reason !== null && (
        <div class="small" lang="en">
          {paused_reason}
        </div>
      )}
      {health.errors.length > 0 && (
        <details>
          <summary>{said.lastErrors(name)}</summary>
          <ul class="changes small" lang="en">
            {health.errors.map(({ at, url: address, what }) => (
              <li key={`${at} ${address}`}>
                {format.time(at)}: {what} ({address})
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface ActionsProps {
  readonly source: Source;
  readonly action: Action;
  readonly onChanged: () => void;
}

function Actions({ source: { source_id, name, paused }, action, onChanged }: ActionsProps) {
  const said = useWords(OPERATIONS);
  const { api, announce } = useSession();
  const act = (work: () => Promise<unknown>, done: string) =>
    void action.run(async () => {
      await work();
      announce(done);
      onChanged();
    });
  const recrawl = () => api.call("adminRecrawlSource", { source_id });
  const change = () => api.call("adminChangeSource", { source_id }, { paused: !paused });
  return (
    <div class="actions">
      <button
        type="button"
        disabled={action.isBusy}
        aria-label={said.recrawlOf(name)}
        onClick={() => act(recrawl, said.recrawled(name))}
      >
        {said.recrawl}
      </button>
      <button
        type="button"
        disabled={action.isBusy}
        aria-label={paused ? said.resumeOf(name) : said.pauseOf(name)}
        onClick={() => act(change, paused ? said.resumed(name) : said.paused(name))}
      >
        {paused ? said.resume : said.pause}
      </button>
    </div>
  );
}
