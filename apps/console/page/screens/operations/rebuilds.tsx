import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { Badge, type Tone } from "../../shared/notice.tsx";
import { Progress } from "../../shared/progress.tsx";
import { Table } from "../../shared/table.tsx";
import { OPERATIONS } from "./operations.words.ts";
import { becameOf, isRunning, type Rebuild } from "./standing.ts";

const TONES: Readonly<Record<Rebuild["state"], Tone>> = {
  building: "plain",
  comparing: "plain",
  built: "good",
  failed: "bad",
  interrupted: "bad",
};

/** Rebuilds that run, with how far they are, and below them what came of the others. */
export function Rebuilds({ rebuilds }: { rebuilds: readonly Rebuild[] }) {
  const said = useWords(OPERATIONS);
  return (
    <>
      {rebuilds.filter(isRunning).map((rebuild) => (
        <Running key={rebuild.started_at} rebuild={rebuild} />
      ))}
      <h3>{said.rebuilds}</h3>
      <Table
        caption={said.rebuilds}
        rows={rebuilds.filter((rebuild) => !isRunning(rebuild))}
        keyOf={({ read_model, started_at }) => `${read_model} ${started_at}`}
        empty={said.noRebuilds}
        columns={[
          { title: said.model, cell: (rebuild) => <Made rebuild={rebuild} /> },
          { title: said.state, cell: (rebuild) => <State rebuild={rebuild} /> },
          { title: said.compared, cell: (rebuild) => <Report rebuild={rebuild} /> },
          { title: said.became, cell: (rebuild) => <Became rebuild={rebuild} /> },
        ]}
      />
    </>
  );
}

function Running({ rebuild }: { rebuild: Rebuild }) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  const { read_model, version, state, done_records: done, total_records: total } = rebuild;
  const { records_per_second: rate, seconds_left: left } = rebuild;
  const share = total === 0 ? 0 : done / total;
  const texts = [format.share(share), said.records(format.number(done), format.number(total))];
  if (rate !== null) texts.push(said.rate(format.number(rate)));
  if (left !== null) texts.push(said.left(format.duration(left * 1_000)));
  return (
    <Progress
      label={`${said.progressOf(read_model, String(version))}, ${said.rebuildStates[state]}`}
      share={share}
      text={texts.join(", ")}
    />
  );
}

function Made({ rebuild }: { rebuild: Rebuild }) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  const { read_model, version, started_at, actor, done_records: done } = rebuild;
  return (
    <>
      <code>{read_model}</code> {said.version(String(version))}
      <div class="small">
        {format.time(started_at)}, {actor}
      </div>
      <div class="small">{said.recordsRead(format.number(done))}</div>
    </>
  );
}

function State({ rebuild: { state, reason } }: { rebuild: Rebuild }) {
  const said = useWords(OPERATIONS);
  return (
    <>
      <Badge tone={TONES[state]}>{said.rebuildStates[state]}</Badge>
      {reason !== null && (
        <div class="small" lang="en">
          {reason}
        </div>
      )}
    </>
  );
}

function Report({ rebuild: { report, read_model } }: { rebuild: Rebuild }) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  if (report === null) return null;
  const { agrees, comparable, samples, differing_samples: differ, totals, differing } = report;
  return (
    <>
      <Badge tone={agrees ? "good" : "bad"}>{agrees ? said.agree : said.differ}</Badge>
      {!comparable && <div class="small">{said.notComparable}</div>}
      <details>
        <summary>{said.reportOf(read_model)}</summary>
        <p class="small">{said.samples(format.number(samples), format.number(differ))}</p>
        <ul class="changes small" lang="en">
          {totals.map(({ name, live, next }) => (
            <li key={name}>
              {name}: {format.number(live)}
              {live === next ? "" : ` / ${format.number(next)}`}
            </li>
          ))}
          {differing.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Became({ rebuild }: { rebuild: Rebuild }) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  return (
    <ul class="changes small">
      {becameOf(rebuild).map(({ what, at, by }) => (
        <li key={what}>
          {at === null ? "" : `${format.time(at)}: `}
          {said.becomings[what](String(by))}
        </li>
      ))}
    </ul>
  );
}
