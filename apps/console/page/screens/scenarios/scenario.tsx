import { useEffect, useState } from "preact/hooks";
import { Refused, type Api } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { useWords } from "../../shared/language.ts";
import { useAction, useLoad } from "../../shared/load.ts";
import { Badge, ProblemNotice } from "../../shared/notice.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { hashOf } from "../../shared/router.ts";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import {
  fieldsOf,
  withChoices,
  withValue,
  type SettingField,
  type Values,
} from "./setting-fields.ts";
import type { Scenario } from "./scenario-types.ts";
import { SCENARIOS } from "./scenarios.words.ts";
import { SourceNames } from "./setting-name.ts";
import { PreviewPanel, type ReaderChoice } from "./preview-panel.tsx";
import { usePreview } from "./use-preview.ts";
import { Split } from "./split.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { Versions } from "./versions.tsx";

const SETTINGS_SCHEMA = "ScenarioSettings";
/** More than these are easier written than looked for. */
const SOURCES_OFFERED_MAX = 60;

/** One scenario: its settings to change, and its versions to bring back. */
export function ScenarioPage({ name }: { name: string }) {
  const said = useWords(SCENARIOS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [edited, setEdited] = useState<Values>({});
  const [userId, onUserId] = useState("");
  const reader = { userId, onUserId };
  const load = useLoad(() => scenarioOf(api, tenant_id, name), [tenant_id, name]);
  const back = (
    <a class="button" href={hashOf(["tenants", tenant_id, "scenarios"])}>
      {said.back}
    </a>
  );
  return (
    <Page title={name} actions={back}>
      <Loaded load={load}>
        {({ fields, sources, versions }) => {
          const [latest] = versions;
          if (latest === undefined) return null;
          return (
            <SourceNames.Provider value={sources}>
              <p>
                <Badge tone="plain">{said.types[latest.type]}</Badge> {said.version}{" "}
                {latest.version}
              </p>
              <Section title={said.settings}>
                <Editor
                  key={latest.version}
                  {...{ latest, fields, reader }}
                  onEdited={setEdited}
                  onSaved={load.reload}
                />
              </Section>
              {latest.type === "feed" && <Split {...{ versions, edited }} onEnded={load.reload} />}
              <Section title={said.versions}>
                <Versions versions={versions} onRestored={load.reload} />
              </Section>
            </SourceNames.Provider>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface EditorProps {
  readonly latest: Scenario;
  readonly fields: readonly SettingField[];
  /** Stays the same from one version to the next. */
  readonly reader: ReaderChoice;
  readonly onEdited: (values: Values) => void;
  readonly onSaved: () => void;
}

/** Changes to the latest version; saving is refused where somebody else saved another meanwhile. */
function Editor({ latest, fields, reader, onEdited, onSaved }: EditorProps) {
  const said = useWords(SCENARIOS);
  const common = useWords(COMMON);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const maySave = useMay("scenarios");
  const action = useAction();
  const [values, setValues] = useState<Values>({ ...latest.settings });
  const [round, setRound] = useState(0);
  useEffect(() => onEdited(values), [values]);
  const { name, type, version } = latest;
  const preview = usePreview(name, values, { userId: reader.userId, isWanted: maySave });
  const save = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const body = { type, settings: values, expected_version: version };
      const { data } = await api.call("adminPutScenario", { tenant_id, name }, body);
      announce(said.saved(String(data.version)));
      onSaved();
    });
  };
  const discard = () => {
    setValues({ ...latest.settings });
    setRound(round + 1);
    action.clear();
  };
  const form = (
    <form class="stack" onSubmit={save}>
      <SettingsForm
        key={round}
        fields={fields}
        values={values}
        isReadOnly={!maySave}
        refused={action.error instanceof Refused ? action.error : preview.refused}
        onChange={(path, value) => setValues((now) => withValue(now, path, value))}
      />
      <ProblemNotice error={action.error} />
      {maySave && (
        <div class="actions">
          <button class="primary" disabled={action.isBusy}>
            {action.isBusy ? common.working : said.save}
          </button>
          <button type="button" onClick={discard}>
            {said.reset}
          </button>
        </div>
      )}
    </form>
  );
  if (!maySave) return form;
  return (
    <div class="beside">
      {form}
      <PreviewPanel preview={preview} type={type} {...reader} />
    </div>
  );
}

async function scenarioOf(api: Api, tenant_id: string, name: string) {
  const [document, licences, versions] = await Promise.all([
    api.document(),
    api.call("adminListLicences", { tenant_id }),
    api.call("adminListScenarioVersions", { tenant_id, name }),
  ]);
  const fields = fieldsOf(document, SETTINGS_SCHEMA);
  const sources = new Map(licences.data.map(({ source_id, name }) => [source_id, name] as const));
  const settings = { ...versions.data[0]?.settings };
  const isFew = sources.size <= SOURCES_OFFERED_MAX;
  return {
    fields: isFew ? withChoices(fields, "sources", [...sources.keys()], settings) : fields,
    sources,
    versions: versions.data,
  };
}
