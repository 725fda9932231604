import type { Answer } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Loaded, Section } from "../../shared/page.tsx";
import { Reasons } from "../../shared/reasons.tsx";
import { hashOf } from "../../shared/router.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { USERS } from "./users.words.ts";

type Item = Answer<"adminPreviewFeed">["data"][number];

/** What a user would be shown now, and why each article is where it is. */
export function WhyFeed({ userId }: { userId: string }) {
  const said = useWords(USERS);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const load = useLoad(
    () => api.call("adminPreviewFeed", { tenant_id, user_id: userId }),
    [tenant_id, userId],
  );
  return (
    <Section title={said.why}>
      <Loaded load={load}>
        {({ data, meta }) => (
          <>
            <p class="small">{said.whyLead(meta.scenario, String(meta.version))}</p>
            {meta.arm !== null && <p class="small">{said.whyArm[meta.arm]}</p>}
            <ItemTable items={data} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function ItemTable({ items }: { items: readonly Item[] }) {
  const said = useWords(USERS);
  const format = useFormat();
  const tenant_id = useTenantId();
  const places = new Map(items.map(({ content }, at) => [content.id, at + 1]));
  return (
    <Table
      caption={said.why}
      rows={items}
      keyOf={({ content }) => content.id}
      empty={said.nothingToShow}
      columns={[
        { title: said.place, cell: ({ content }) => places.get(content.id), isNumber: true },
        {
          title: said.article,
          cell: ({ content }) => (
            <>
              <a href={hashOf(["tenants", tenant_id, "content", content.id])}>{content.title}</a>
              <div class="small">{content.source.name}</div>
            </>
          ),
        },
        { title: said.score, cell: ({ score }) => format.number(score), isNumber: true },
        { title: said.because, cell: (item) => <Reasons of={item} /> },
      ]}
    />
  );
}
