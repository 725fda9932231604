import { BarChart } from "./chart.tsx";
import { useFormat } from "./format.ts";
import { useWords } from "./language.ts";
import { Table } from "./table.tsx";
import { daysOfMonth, ENDPOINTS, sumOf, type Day, type DayUsage, type Usage } from "./usage.ts";
import { USAGE } from "./usage.words.ts";

/** A month by day and endpoint, as bars and as the table they are drawn from. */
export function UsageChart(props: {
  readonly usage: Usage;
  readonly measure: keyof DayUsage;
  /** Whether the table is open from the start. */
  readonly hasTable?: boolean;
}) {
  const { usage, measure, hasTable = false } = props;
  const said = useWords(USAGE);
  const format = useFormat();
  const days = daysOfMonth(usage);
  if (sumOf(days, measure) === 0) return <p class="empty">{said.nothingUsed}</p>;
  const used = days.filter((day) => sumOf([day], measure) > 0);
  const title = `${said[measure]}, ${format.month(usage.month)}`;
  return (
    <>
      <BarChart
        title={title}
        labels={days.map(({ day }) => String(Number(day.slice(-2))))}
        series={ENDPOINTS.map((name) => ({
          name: said.endpoints[name],
          values: days.map(({ of }) => of[name][measure]),
        }))}
        valueText={format.number}
      />
      <details open={hasTable}>
        <summary>{said.numbers}</summary>
        <Table<Day>
          caption={title}
          rows={used.toReversed()}
          keyOf={({ day }) => day}
          empty={said.nothingUsed}
          columns={[
            { title: said.day, cell: ({ day }) => day },
            ...ENDPOINTS.map((name) => ({
              title: said.endpoints[name],
              cell: ({ of }: Day) => format.number(of[name][measure]),
              isNumber: true,
            })),
            {
              title: said.total,
              cell: (day) => format.number(sumOf([day], measure)),
              isNumber: true,
            },
          ]}
        />
      </details>
    </>
  );
}
