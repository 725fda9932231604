import { Fragment } from "preact";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { scaleFor } from "./split-scale.ts";
import { ARMS, type ExperimentReport } from "./split-types.ts";
import { SPLIT } from "./split.words.ts";

const ROW_PX = 22;
const MIDDLE_PX = ROW_PX / 2;

/** The share of each arm and its interval along one axis. A picture to screen readers: the table beside it has the numbers. */
export function SplitPlot({ report }: { report: ExperimentReport }) {
  const said = useWords(SPLIT);
  const format = useFormat();
  const rows = ARMS.flatMap((arm) => {
    const estimate = report[arm].users_clicked_share;
    return estimate === null ? [] : [{ arm, estimate }];
  });
  if (rows.length === 0) return null;
  const { at, ticks } = scaleFor(rows.map(({ estimate }) => estimate.high));
  const percent = (share: number) => `${at(share)}%`;
  return (
    <figure class="intervals" role="img" aria-label={said.plot}>
      {rows.map(({ arm, estimate: { value, low, high } }) => (
        <Fragment key={arm}>
          <span>{said.arms[arm]}</span>
          <svg class={`interval ${arm}`} width="100%" height={ROW_PX}>
            <line class="axis" x1="0%" x2="100%" y1={MIDDLE_PX} y2={MIDDLE_PX} />
            <line x1={percent(low)} x2={percent(high)} y1={MIDDLE_PX} y2={MIDDLE_PX} />
            {[low, high].map((end) => (
              <line key={end} x1={percent(end)} x2={percent(end)} y1={5} y2={ROW_PX - 5} />
            ))}
            <circle cx={percent(value)} cy={MIDDLE_PX} r={5} />
          </svg>
        </Fragment>
      ))}
      <span />
      <svg class="ticks" width="100%" height={ROW_PX}>
        {ticks.map((tick, index) => (
          <text key={tick} x={percent(tick)} y={MIDDLE_PX} text-anchor={anchorOf(index, ticks)}>
            {format.rate(tick)}
          </text>
        ))}
      </svg>
    </figure>
  );
}

/** The first and the last number stay within the axis. */
function anchorOf(index: number, { length }: readonly number[]): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === length - 1 ? "end" : "middle";
}
