import { useId } from "preact/hooks";
import { TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Badge, Notice, ProblemNotice, type Tone } from "../../shared/notice.tsx";
import { Reasons } from "../../shared/reasons.tsx";
import { hashOf } from "../../shared/router.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { countMoves, moveFrom, moveInto, type Move } from "./moves.ts";
import { PREVIEW } from "./preview.words.ts";
import type { Scenario } from "./scenario-types.ts";
import type { Preview, PreviewAnswer } from "./use-preview.ts";

const USERS_OFFERED_MAX = 50;

type Item = PreviewAnswer["data"]["current"][number];

/** Whose preview it is; empty: nobody's in particular. */
export interface ReaderChoice {
  readonly userId: string;
  readonly onUserId: (userId: string) => void;
}

interface PanelProps extends ReaderChoice {
  readonly preview: Preview;
  readonly type: Scenario["type"];
}

/** The latest version and what is being edited, side by side, as a user of choice would see them. */
export function PreviewPanel({ preview, type, ...reader }: PanelProps) {
  const said = useWords(PREVIEW);
  const { answer } = preview;
  const id = useId();
  return (
    <section class="preview stack" aria-labelledby={id}>
      <h3 id={id}>{said.title}</h3>
      <p class="small">{said.leads[type]}</p>
      <UserField {...reader} refused={preview.refused} />
      <Standing preview={preview} />
      {answer !== undefined && (
        <>
          <div class="pair">
            <Ranked
              title={said.current(String(answer.meta.version))}
              items={answer.data.current}
              moveOf={moveFrom}
              isBefore
            />
            <Ranked
              title={said.proposed}
              items={answer.data.proposed}
              moveOf={moveInto}
              isBefore={false}
            />
          </div>
          <p class="small">{said.depths[type]}</p>
        </>
      )}
    </section>
  );
}

function UserField({
  userId,
  onUserId,
  refused,
}: ReaderChoice & { readonly refused: Preview["refused"] }) {
  const said = useWords(PREVIEW);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const id = useId();
  // Without a list the ID can still be typed.
  const load = useLoad(
    () => api.call("adminListUsers", { tenant_id, limit: USERS_OFFERED_MAX }),
    [tenant_id],
  );
  return (
    <>
      <TextField
        label={said.user}
        hint={said.userHint}
        fault={refused?.faultAt("/user_id")}
        autocomplete="off"
        maxLength={128}
        list={id}
        value={userId}
        onValue={onUserId}
      />
      <datalist id={id}>
        {load.state === "ready" &&
          load.value.data.map(({ user_id }) => <option key={user_id} value={user_id} />)}
      </datalist>
    </>
  );
}

/** What has come of the last question, said aloud once it is answered. */
function Standing({ preview }: { preview: Preview }) {
  const said = useWords(PREVIEW);
  const { answer, isCurrent, error, refused } = preview;
  if (error !== undefined)
    return refused?.slug === "validation" ? (
      <Notice tone="warning">
        <p role="status">
          {said.invalid} {answer !== undefined && said.outdated}
        </p>
      </Notice>
    ) : (
      <ProblemNotice error={error} />
    );
  return (
    <p class="small" role="status">
      {isCurrent && answer !== undefined ? <Summary of={answer} /> : said.working}
    </p>
  );
}

function Summary({ of: { data } }: { of: PreviewAnswer }) {
  const said = useWords(PREVIEW);
  const format = useFormat();
  const counts = countMoves(data.current, data.proposed);
  const { up, down, gone } = counts;
  if (up + down + counts.new + gone === 0) return <>{said.unchanged}</>;
  const [ups, downs, news, gones] = [up, down, counts.new, gone].map(format.number);
  return <>{said.summary(ups ?? "", downs ?? "", news ?? "", gones ?? "")}</>;
}

interface RankedProps {
  readonly title: string;
  readonly items: readonly Item[];
  readonly moveOf: (item: Item) => Move;
  /** Whether moves lead away from this list, not into it. */
  readonly isBefore: boolean;
}

function Ranked({ title, items, moveOf, isBefore }: RankedProps) {
  const said = useWords(PREVIEW);
  const format = useFormat();
  const tenant_id = useTenantId();
  const id = useId();
  return (
    <div>
      <h4 id={id}>{title}</h4>
      {items.length === 0 && <p class="empty">{said.nothing}</p>}
      <ol class="ranked" aria-labelledby={id}>
        {items.map((item) => (
          <li key={item.content.id}>
            {/* Beside this page, where nothing is saved yet. */}
            <a href={hashOf(["tenants", tenant_id, "content", item.content.id])} target="_blank">
              {item.content.title}
            </a>
            <div class="small">
              {item.content.source.name}, {said.score(format.number(item.score))}
            </div>
            <MoveBadge move={moveOf(item)} isBefore={isBefore} />
            <details>
              <summary>
                {said.why}
                <span class="unseen">: {item.content.title}</span>
              </summary>
              <Reasons of={item} />
            </details>
          </li>
        ))}
      </ol>
    </div>
  );
}

const MARKS: Readonly<Record<Move["kind"], readonly [mark: string, tone: Tone]>> = {
  same: ["=", "plain"],
  up: ["▲", "good"],
  down: ["▼", "warning"],
  new: ["+", "good"],
  gone: ["×", "bad"],
};

function MoveBadge({ move, isBefore }: { move: Move; isBefore: boolean }) {
  const { moves } = useWords(PREVIEW);
  const format = useFormat();
  const [mark, tone] = MARKS[move.kind];
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{mark} </span>
      {"place" in move
        ? moves[isBefore ? (`${move.kind}To` as const) : move.kind](format.number(move.place))
        : moves[move.kind]}
    </Badge>
  );
}
