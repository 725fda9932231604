import { useState } from "preact/hooks";
import { addressOf, type Answer } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { More } from "../../shared/more.tsx";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { usePages } from "../../shared/pages.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { askedOf, EVERYTHING } from "./audit-filter.ts";
import { AUDIT } from "./audit.words.ts";
import { FilterForm } from "./filter-form.tsx";

const ENTRIES_PER_PAGE = 50;

type Entry = Answer<"adminListAudit">["data"][number];

/** What was changed of a tenant, by whom and when. */
export function AuditScreen() {
  const said = useWords(AUDIT);
  const { api } = useSession();
  const tenantId = useTenantId();
  const [filter, setFilter] = useState(EVERYTHING);
  const asked = askedOf(tenantId, filter);
  const pages = usePages<Entry>(
    (cursor) => {
      const after = cursor === undefined ? {} : { cursor };
      return api.call("adminListAudit", { ...asked, limit: ENTRIES_PER_PAGE, ...after });
    },
    [JSON.stringify(asked)],
  );
  const download = (
    <a class="button" href={addressOf("adminExportAudit", asked)} download="audit.jsonl">
      {said.download}
    </a>
  );
  return (
    <Page title={said.title} lead={said.lead} actions={download}>
      <Section title={said.filter}>
        <FilterForm filter={filter} onFilter={setFilter} />
      </Section>
      <div class="card">
        <Loaded load={pages.load}>
          {(entries) => (
            <Entries
              entries={entries}
              empty={pages.more === undefined ? said.nothing : said.moreToSearch}
            />
          )}
        </Loaded>
        <More pages={pages} />
      </div>
    </Page>
  );
}

function Entries({ entries, empty }: { entries: readonly Entry[]; empty: string }) {
  const said = useWords(AUDIT);
  const format = useFormat();
  const kinds: Readonly<Record<string, string>> = said.kinds;
  return (
    <Table<Entry>
      caption={said.title}
      rows={entries}
      keyOf={({ entry_id }) => entry_id}
      empty={empty}
      columns={[
        { title: said.time, cell: ({ at }) => format.time(at) },
        { title: said.actor, cell: ({ actor, actor_email }) => actor_email ?? actor },
        { title: said.kind, cell: ({ kind }) => kinds[kind] ?? kind },
        { title: said.subject, cell: ({ subject }) => <code>{subject}</code> },
        { title: said.details, cell: ({ details }) => <Details details={details} /> },
      ]}
    />
  );
}

function Details({ details }: Pick<Entry, "details">) {
  const said = useWords(AUDIT);
  if (Object.keys(details).length === 0) return null;
  return (
    <details>
      <summary>{said.details}</summary>
      <pre class="small">{JSON.stringify(details, null, 2)}</pre>
    </details>
  );
}
