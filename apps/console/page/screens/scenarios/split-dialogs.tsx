import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../shared/dialog.tsx";
import { ChoiceField, TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { differenceOf } from "./difference.ts";
import type { Values } from "./setting-fields.ts";
import type { Scenario } from "./scenario-types.ts";
import type { Experiment } from "./split-types.ts";
import { SPLIT } from "./split.words.ts";
import { Changes } from "./versions.tsx";

const PERCENT = 100;
const EDITED = "edited";

interface Closing {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface StartProps extends Closing {
  /** Newest first. */
  readonly versions: readonly Scenario[];
  /** As they stand in the form. */
  readonly edited: Values;
}

/** What can be compared with the live version: the settings in the form, where they differ, and earlier versions that do. */
function variantsOf(versions: readonly Scenario[], edited: Values) {
  const [live] = versions;
  const differs = (settings: Values) => differenceOf({ ...live?.settings }, settings).length > 0;
  return {
    hasEdited: differs(edited),
    earlier: versions.filter(({ settings }) => differs({ ...settings })),
  };
}

export function StartDialog({ versions, edited, onDone, onClose }: StartProps) {
  const said = useWords(SPLIT);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const { hasEdited, earlier } = variantsOf(versions, edited);
  const options = [
    ...(hasEdited ? [[EDITED, said.edited] as const] : []),
    ...earlier.map(({ version }) => [String(version), said.version(String(version))] as const),
  ];
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState(options[0]?.[0] ?? "");
  const [percent, setPercent] = useState("50");
  const [live] = versions;
  if (live === undefined) return null;
  const former = earlier.find(({ version }) => String(version) === chosen);
  const start = async () => {
    const variant = former === undefined ? { settings: edited } : { version: former.version };
    const variant_share = Number(percent) / PERCENT;
    const body = { name, variant, variant_share, expected_version: live.version };
    await api.call("adminStartExperiment", { tenant_id, name: live.name }, body);
    announce(said.started);
    onDone();
  };
  return (
    <ConfirmDialog
      title={said.startTitle}
      verb={said.start}
      isReady={options.length > 0}
      onConfirm={start}
      onClose={onClose}
    >
      {options.length === 0 ? (
        <p>{said.noVariant}</p>
      ) : (
        <>
          <TextField
            label={said.name}
            hint={said.nameHint}
            required
            maxLength={100}
            value={name}
            onValue={setName}
          />
          <ChoiceField label={said.variant} value={chosen} options={options} onValue={setChosen} />
          <ShareField value={percent} onValue={setPercent} />
          <div>
            <p>{said.differs}</p>
            <Changes from={live} to={{ ...live, settings: former?.settings ?? edited }} />
          </div>
        </>
      )}
    </ConfirmDialog>
  );
}

interface ShareProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function ShareField({ value, onValue }: ShareProps) {
  const said = useWords(SPLIT);
  return (
    <TextField
      label={said.share}
      hint={said.shareHint}
      type="number"
      required
      min={1}
      max={99}
      step={1}
      value={value}
      onValue={onValue}
    />
  );
}

interface ChangeProps extends Closing {
  readonly experiment: Experiment;
}

export function ShareDialog({ experiment, onDone, onClose }: ChangeProps) {
  const said = useWords(SPLIT);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const { scenario: name, experiment_id, variant_share } = experiment;
  const [percent, setPercent] = useState(String(Math.round(variant_share * PERCENT)));
  const change = async () => {
    const body = { variant_share: Number(percent) / PERCENT };
    await api.call("adminChangeExperiment", { tenant_id, name, experiment_id }, body);
    announce(said.changed);
    onDone();
  };
  return (
    <ConfirmDialog
      title={said.changeTitle}
      verb={said.changeShare}
      onConfirm={change}
      onClose={onClose}
    >
      <p>{said.changeText}</p>
      <ShareField value={percent} onValue={setPercent} />
    </ConfirmDialog>
  );
}

interface EndProps extends ChangeProps {
  readonly outcome: "adopted" | "kept";
}

export function EndDialog({ experiment, outcome, onDone, onClose }: EndProps) {
  const said = useWords(SPLIT);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const isAdopted = outcome === "adopted";
  const end = async () => {
    const { scenario: name, experiment_id } = experiment;
    const place = { tenant_id, name, experiment_id };
    const { data } = await api.call("adminEndExperiment", place, { outcome });
    announce(isAdopted ? said.adopted(String(data.end?.adopted_version)) : said.kept);
    onDone();
  };
  return (
    <ConfirmDialog
      title={isAdopted ? said.adoptTitle : said.keepTitle}
      verb={isAdopted ? said.adopt : said.keep}
      onConfirm={end}
      onClose={onClose}
    >
      <p>{isAdopted ? said.adoptText : said.keepText}</p>
    </ConfirmDialog>
  );
}
