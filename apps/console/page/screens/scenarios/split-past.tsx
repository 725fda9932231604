import { useState } from "preact/hooks";
import { Dialog } from "../../shared/dialog.tsx";
import { COMMON } from "../../shared/common.words.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useSession } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { SplitReport } from "./split-report.tsx";
import type { Experiment } from "./split-types.ts";
import { SPLIT } from "./split.words.ts";

/** Splits that have ended, with what came of them. */
export function PastSplits({ experiments }: { experiments: readonly Experiment[] }) {
  const said = useWords(SPLIT);
  const common = useWords(COMMON);
  const format = useFormat();
  const { me } = useSession();
  const [shown, setShown] = useState<Experiment | undefined>(undefined);
  return (
    <>
      <h3>{said.past}</h3>
      <Table<Experiment>
        caption={said.past}
        rows={experiments}
        keyOf={({ experiment_id }) => experiment_id}
        empty=""
        columns={[
          { title: said.name, cell: ({ name }) => name },
          { title: said.outcome, cell: ({ end }) => (end === null ? "" : outcomeText(end, said)) },
          { title: said.ended, cell: ({ end }) => (end === null ? "" : format.time(end.ended_at)) },
          {
            title: said.endedBy,
            cell: ({ end }) => (end?.ended_by === me.person_id ? said.you : end?.ended_by),
          },
          {
            title: said.actions,
            cell: (one) => (
              <div class="actions">
                <button
                  type="button"
                  aria-label={said.reportOf(one.name)}
                  onClick={() => setShown(one)}
                >
                  {said.showReport}
                </button>
              </div>
            ),
          },
        ]}
      />
      {shown !== undefined && (
        <Dialog title={shown.name} onClose={() => setShown(undefined)}>
          <SplitReport experiment={shown} />
          <div class="actions end">
            <button type="button" onClick={() => setShown(undefined)}>
              {common.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

type Words = (typeof SPLIT)["en"];

function outcomeText(
  { outcome, adopted_version }: NonNullable<Experiment["end"]>,
  said: Words,
): string {
  return adopted_version === null
    ? said.outcomes[outcome]
    : said.adoptedAs(String(adopted_version));
}
