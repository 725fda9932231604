import type { Licence } from "../../openapi.generated.ts";
import type { Answer } from "../../shared/api.ts";
import { useWords } from "../../shared/language.ts";
import { useAction, useLoad } from "../../shared/load.ts";
import { ProblemNotice } from "../../shared/notice.tsx";
import { Loaded, Section } from "../../shared/page.tsx";
import { useMay, useSession, useTenantId } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { CONTENT } from "./content.words.ts";

type SourceLicence = Answer<"adminListLicences">["data"][number];

/** Value of the choice that nothing is set for the source. */
const BY_DEFAULT = "default";
const LICENCES = ["none", "link", "body"] as const satisfies readonly Licence[];

/** What the tenant may deliver of each source. */
export function Licences({ onChanged }: { onChanged: () => void }) {
  const said = useWords(CONTENT);
  const { api, announce } = useSession();
  const tenant_id = useTenantId();
  const maySet = useMay("settings");
  const action = useAction();
  const load = useLoad(() => api.call("adminListLicences", { tenant_id }), [tenant_id]);
  const set = ({ source_id, name }: SourceLicence, licence: Licence | undefined) =>
    void action
      .run(async () => {
        const place = { tenant_id, source_id };
        if (licence === undefined) await api.call("adminResetLicence", place);
        else await api.call("adminPutLicence", place, { licence });
        announce(said.licenceSaved(name));
        onChanged();
      })
      // Where it failed, the switch goes back to what holds.
      .then(load.reload);
  return (
    <Section title={said.sources}>
      <p class="small">{said.sourcesLead}</p>
      <ProblemNotice error={action.error} />
      <Loaded load={load}>
        {({ data: sources, meta: { default_licence: byDefault } }) => (
          <Table
            caption={said.sources}
            rows={sources}
            keyOf={({ source_id }) => source_id}
            empty={said.noSources}
            columns={[
              { title: said.source, cell: ({ name }) => name },
              {
                title: said.licence,
                cell: (source) =>
                  maySet ? (
                    <LicenceSwitch
                      source={source}
                      byDefault={byDefault}
                      isBusy={action.isBusy}
                      onChoice={(licence) => set(source, licence)}
                    />
                  ) : (
                    said.licences[source.licence]
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

interface SwitchProps {
  readonly source: SourceLicence;
  /** The tenant's default. */
  readonly byDefault: Licence;
  readonly isBusy: boolean;
  /** Undefined: the default is to hold. */
  readonly onChoice: (licence: Licence | undefined) => void;
}

function LicenceSwitch({ source, byDefault, isBusy, onChoice }: SwitchProps) {
  const said = useWords(CONTENT);
  const { name, licence, is_default } = source;
  return (
    <select
      aria-label={said.licenceOf(name)}
      value={is_default ? BY_DEFAULT : licence}
      disabled={isBusy}
      onChange={({ currentTarget: { value } }) =>
        onChoice(value === BY_DEFAULT ? undefined : (value as Licence))
      }
    >
      <option value={BY_DEFAULT}>{said.defaultLicence(said.licences[byDefault])}</option>
      {LICENCES.map((each) => (
        <option key={each} value={each}>
          {said.licences[each]}
        </option>
      ))}
    </select>
  );
}
