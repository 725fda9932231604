import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Notice, type Tone } from "../../shared/notice.tsx";
import { Loaded } from "../../shared/page.tsx";
import { useSession, useTenantId } from "../../shared/session.ts";
import { Table, type Column } from "../../shared/table.tsx";
import { SplitPlot } from "./split-plot.tsx";
import { ARMS, type Arm, type Experiment, type ExperimentReport } from "./split-types.ts";
import { SPLIT } from "./split.words.ts";

/** What the users of both arms did, and what that shows, or that it shows nothing yet. */
export function SplitReport({ experiment }: { experiment: Experiment }) {
  const said = useWords(SPLIT);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const { scenario: name, experiment_id, share_set_at } = experiment;
  const load = useLoad(async () => {
    const answer = await api.call("adminReportExperiment", { tenant_id, name, experiment_id });
    return answer.data;
  }, [tenant_id, experiment_id, share_set_at]);
  return (
    <div class="stack">
      <h3>{said.report}</h3>
      <Loaded load={load}>
        {(report) => (
          <>
            <Conclusion report={report} />
            <SplitPlot report={report} />
            <ArmsTable report={report} />
            <p class="small">{said.method}</p>
            <div class="actions">
              <button type="button" onClick={load.reload}>
                {said.refresh}
              </button>
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

const TONES: Readonly<Partial<Record<ExperimentReport["conclusion"], Tone>>> = {
  sample_ratio_mismatch: "bad",
  too_little_data: "warning",
};

function Conclusion({ report }: { report: ExperimentReport }) {
  const { conclusion, difference, sample_ratio: ratio } = report;
  const said = useWords(SPLIT);
  const { points, rate } = useFormat();
  return (
    <Notice tone={TONES[conclusion] ?? "plain"}>
      <p>{said.conclusions[conclusion]}</p>
      {ratio?.mismatch === true && (
        <p>{said.mismatch(rate(ratio.variant_share), rate(ratio.planned_variant_share))}</p>
      )}
      {difference !== null && (
        <p>
          {said.difference(
            points(difference.value),
            points(difference.low),
            points(difference.high),
          )}
        </p>
      )}
    </Notice>
  );
}

type ArmReport = ExperimentReport[Arm];

/** A figure a row, so that both arms stand side by side on a phone too. */
function ArmsTable({ report }: { report: ExperimentReport }) {
  const said = useWords(SPLIT);
  const { number, rate } = useFormat();
  const figures: readonly (readonly [name: string, text: (arm: ArmReport) => string])[] = [
    [said.users, ({ users }) => number(users)],
    [said.usersClicked, ({ users_clicked }) => number(users_clicked)],
    [said.shareClicked, ({ users_clicked_share: share }) => (share ? rate(share.value) : "–")],
    [
      said.interval,
      ({ users_clicked_share: share }) =>
        share ? said.fromTo(rate(share.low), rate(share.high)) : "–",
    ],
    [said.feeds, ({ feeds }) => number(feeds)],
    [said.items, ({ items }) => number(items)],
    [said.impressions, ({ impressions }) => number(impressions)],
    [said.clicks, ({ clicks }) => number(clicks)],
    [
      said.clickRate,
      ({ click_through_rate }) => (click_through_rate === null ? "–" : rate(click_through_rate)),
    ],
  ];
  type Figure = (typeof figures)[number];
  const columns: Column<Figure>[] = [
    { title: said.figure, cell: ([name]) => name },
    ...ARMS.map((arm) => ({
      title: said.arms[arm],
      cell: ([, text]: Figure) => text(report[arm]),
      isNumber: true,
    })),
  ];
  return (
    <Table
      caption={said.report}
      columns={columns}
      rows={figures}
      keyOf={([name]) => name}
      empty=""
    />
  );
}
