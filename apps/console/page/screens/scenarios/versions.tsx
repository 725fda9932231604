import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { Badge } from "../../shared/notice.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { Table, type Column } from "../../shared/table.tsx";
import { differenceOf, type Change } from "./difference.ts";
import { entryOf } from "./entries.ts";
import type { Path } from "./setting-fields.ts";
import type { Scenario } from "./scenario-types.ts";
import { SCENARIOS } from "./scenarios.words.ts";
import { useSettingNames } from "./setting-name.ts";

interface VersionsProps {
  /** Newest first. */
  readonly versions: readonly Scenario[];
  readonly onRestored: () => void;
}

/** Who saved what when, what each version changed, and the way back to it. */
export function Versions({ versions, onRestored }: VersionsProps) {
  const said = useWords(SCENARIOS);
  const format = useFormat();
  const { me } = useSession();
  const maySave = useMay("scenarios");
  const [restoring, setRestoring] = useState<Scenario | undefined>(undefined);
  const [latest] = versions;
  const before = (one: Scenario) => versions.find(({ version }) => version === one.version - 1);
  const columns: Column<Scenario>[] = [
    {
      title: said.version,
      cell: (one) => (
        <>
          {one.version} {one === latest && <Badge tone="good">{said.current}</Badge>}
        </>
      ),
    },
    { title: said.savedAt, cell: ({ saved_at }) => format.time(saved_at) },
    {
      title: said.savedBy,
      cell: ({ saved_by }) => (saved_by === me.person_id ? said.you : saved_by),
    },
    { title: said.changed, cell: (one) => <Changes from={before(one)} to={one} /> },
  ];
  if (maySave)
    columns.push({
      title: said.actions,
      cell: (one) =>
        one !== latest && (
          <div class="actions">
            <button
              type="button"
              aria-label={said.restoreOf(String(one.version))}
              onClick={() => setRestoring(one)}
            >
              {said.restore}
            </button>
          </div>
        ),
    });
  return (
    <>
      <Table
        caption={said.versions}
        columns={columns}
        rows={versions}
        keyOf={({ version }) => String(version)}
        empty={said.none}
      />
      {restoring !== undefined && latest !== undefined && (
        <RestoreDialog
          {...{ latest, former: restoring, onRestored }}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </>
  );
}

interface RestoreProps {
  readonly latest: Scenario;
  readonly former: Scenario;
  readonly onRestored: () => void;
  readonly onClose: () => void;
}

function RestoreDialog({ latest, former, onRestored, onClose }: RestoreProps) {
  const said = useWords(SCENARIOS);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const restore = async () => {
    const { name, version } = former;
    const { data } = await api.call("adminRestoreScenario", { tenant_id, name }, { version });
    announce(said.restored(String(data.version)));
    onRestored();
    onClose();
  };
  return (
    <ConfirmDialog
      title={said.restoreTitle}
      verb={said.restore}
      onConfirm={restore}
      onClose={onClose}
    >
      <p>{said.restoreText(String(former.version))}</p>
      <Changes from={latest} to={former} />
    </ConfirmDialog>
  );
}

/** Every setting that differs, as it was and as it is. */
export function Changes({ from, to }: { from: Scenario | undefined; to: Scenario }) {
  const said = useWords(SCENARIOS);
  const { fullNameOf } = useSettingNames();
  if (from === undefined) return said.first;
  const changes = differenceOf({ ...from.settings }, { ...to.settings });
  if (changes.length === 0) return said.same;
  return (
    <ul class="changes">
      {changes.map(({ path, before, after }) => (
        <li key={path.join(".")}>
          {fullNameOf(path)}: <Value path={path} of={before} /> → <Value path={path} of={after} />
        </li>
      ))}
    </ul>
  );
}

/** A value in the reader's words where it has any; nothing, null and an empty list are a dash. */
function Value({ path, of: value }: { path: Path; of: Change["before"] }) {
  const { optionOf, targetOf } = useSettingNames();
  const textOf = (each: unknown): string => {
    if (typeof each === "string") return optionOf(path, each);
    const entry = entryOf(each);
    if (entry === undefined) return JSON.stringify(each);
    return `${targetOf(entry.match, entry.id)} × ${entry.number}`;
  };
  const values = Array.isArray(value) ? value : [value];
  const texts = values.filter((each) => each !== undefined && each !== null).map(textOf);
  return <code>{texts.length === 0 ? "–" : texts.join(", ")}</code>;
}
