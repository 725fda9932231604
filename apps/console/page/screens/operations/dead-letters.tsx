import { useState } from "preact/hooks";
import type { Answer } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Badge, Notice } from "../../shared/notice.tsx";
import { Loaded, Section } from "../../shared/page.tsx";
import { useSession } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { DiscardDialog, ReplayDialog } from "./letter-dialogs.tsx";
import { OPERATIONS } from "./operations.words.ts";

export type Letter = Answer<"adminListDeadLetters">["data"][number];
type Replay = Answer<"adminReplayDeadLetter">["data"];

/** Records that consumers gave up, and what became of them. `round`: how often they were asked for anew. */
export function DeadLetters({ round }: { round: number }) {
  const said = useWords(OPERATIONS);
  const { api } = useSession();
  const load = useLoad(() => api.call("adminListDeadLetters", {}), [round]);
  const [discarding, setDiscarding] = useState<Letter | undefined>(undefined);
  const [replaying, setReplaying] = useState<Letter | undefined>(undefined);
  const [replay, setReplay] = useState<Replay | undefined>(undefined);
  return (
    <Section title={said.letters}>
      <p class="small">{said.lettersNote}</p>
      {replay !== undefined && <ReplayNotice replay={replay} />}
      <Loaded load={load}>
        {({ data }) => (
          <LetterTable letters={data} onDiscard={setDiscarding} onReplay={setReplaying} />
        )}
      </Loaded>
      {replaying !== undefined && (
        <ReplayDialog
          letter={replaying}
          onReplayed={(said) => {
            setReplay(said);
            load.reload();
          }}
          onClose={() => setReplaying(undefined)}
        />
      )}
      {discarding !== undefined && (
        <DiscardDialog
          letter={discarding}
          onDiscarded={load.reload}
          onClose={() => setDiscarding(undefined)}
        />
      )}
    </Section>
  );
}

interface TableProps {
  readonly letters: readonly Letter[];
  readonly onDiscard: (letter: Letter) => void;
  readonly onReplay: (letter: Letter) => void;
}

/** What came of the replay that was asked for here last. */
function ReplayNotice({ replay: { outcome, projection, reason } }: { readonly replay: Replay }) {
  const said = useWords(OPERATIONS);
  return (
    <Notice tone={outcome === "effective" ? "good" : "warning"}>
      {said.replays[outcome](projection ?? "")}{" "}
      {reason !== null && reason !== "" && <span lang="en">{reason}</span>}
    </Notice>
  );
}

function LetterTable({ letters, onDiscard, onReplay }: TableProps) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  return (
    <Table
      caption={said.letters}
      rows={letters}
      keyOf={({ letter_id }) => String(letter_id)}
      empty={said.noLetters}
      columns={[
        { title: said.letter, cell: ({ letter_id }) => letter_id, isNumber: true },
        {
          title: said.record,
          cell: ({ topic, partition, offset, stage }) => (
            <>
              <code>{`${topic} ${partition} ${offset}`}</code>
              <div class="small">{stage}</div>
            </>
          ),
        },
        { title: said.reason, cell: ({ reason }) => <span lang="en">{reason}</span> },
        { title: said.at, cell: ({ at }) => format.time(at) },
        { title: said.state, cell: (letter) => <LetterState letter={letter} /> },
        {
          title: said.actions,
          cell: (letter) =>
            letter.settled === null && (
              <div class="actions">
                <button
                  type="button"
                  aria-label={said.replayOf(String(letter.letter_id))}
                  onClick={() => onReplay(letter)}
                >
                  {said.replay}
                </button>
                <button
                  type="button"
                  class="danger"
                  aria-label={said.discardOf(String(letter.letter_id))}
                  onClick={() => onDiscard(letter)}
                >
                  {said.discard}
                </button>
              </div>
            ),
        },
      ]}
    />
  );
}

function LetterState({ letter: { settled, refused_replay: refused } }: { letter: Letter }) {
  const said = useWords(OPERATIONS);
  const format = useFormat();
  if (settled === null)
    return (
      <>
        <Badge tone="warning">{said.open}</Badge>
        {refused !== null && (
          <div class="small">
            {format.time(refused.at)}: {said.replays[refused.outcome](refused.projection)}
          </div>
        )}
      </>
    );
  return (
    <>
      <Badge tone="plain">{said.outcomes[settled.outcome]}</Badge>
      <div class="small">{settled.note}</div>
    </>
  );
}
