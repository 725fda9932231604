import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { Badge, Notice, type Tone } from "../../shared/notice.tsx";
import { Table } from "../../shared/table.tsx";
import { OPERATIONS } from "./operations.words.ts";
import { stateOf, type Consumer } from "./standing.ts";

const TONES: Readonly<Record<ReturnType<typeof stateOf>, Tone>> = {
  well: "good",
  working: "plain",
  late: "bad",
};

/** How far each consumer lies behind the log, and above it in one sentence. */
export function Consumers({ consumers }: { consumers: readonly Consumer[] }) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  const behind = consumers.filter((consumer) => stateOf(consumer) !== "well");
  const isLate = behind.some((consumer) => stateOf(consumer) === "late");
  return (
    <>
      <Notice tone={isLate ? "bad" : "good"}>
        {behind.length === 0 ? said.allWell : said.behind(format.number(behind.length))}
      </Notice>
      <Table
        caption={said.lag}
        rows={consumers}
        keyOf={({ group, topic }) => `${group} ${topic}`}
        empty={said.allWell}
        columns={[
          { title: said.consumer, cell: ({ group }) => <code>{group}</code> },
          { title: said.topic, cell: ({ topic }) => <code>{topic}</code> },
          {
            title: said.waiting,
            cell: ({ lag_records }) => format.number(lag_records),
            isNumber: true,
          },
          {
            title: said.oldest,
            cell: ({ lag_seconds }) => format.duration(lag_seconds * 1_000),
            isNumber: true,
          },
          { title: said.state, cell: (consumer) => <State consumer={consumer} /> },
        ]}
      />
    </>
  );
}

function State({ consumer }: { consumer: Consumer }) {
  const { consumerStates } = useWords(OPERATIONS);
  const state = stateOf(consumer);
  return <Badge tone={TONES[state]}>{consumerStates[state]}</Badge>;
}
