import { useState } from "preact/hooks";
import type { ScreenProps } from "../../routes.ts";
import type { Answer } from "../../shared/api.ts";
import { TextField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { hashOf } from "../../shared/router.ts";
import { useSession, useTenantId } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { ArticlePage } from "./article.tsx";
import { CONTENT } from "./content.words.ts";
import { Delivery } from "./delivery.tsx";
import { Licences } from "./licences.tsx";

type Found = Answer<"adminSearchContents">["data"][number];

/** Articles and licences of a tenant, or the article whose id is the next step of the address. */
export function ContentScreen({ steps: [contentId] }: ScreenProps) {
  return contentId === undefined ? <Search /> : <ArticlePage key={contentId} id={contentId} />;
}

function Search() {
  const said = useWords(CONTENT);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const [text, setText] = useState("");
  const [round, setRound] = useState(0);
  const load = useLoad(
    () => api.call("adminSearchContents", { tenant_id, q: text, limit: 20 }),
    [tenant_id, text, round],
  );
  const title = text === "" ? said.newest : said.found(text);
  return (
    <Page title={said.title} lead={said.lead}>
      <Section title={said.search}>
        <SearchForm
          onSearch={(next) => {
            setText(next);
            setRound(round + 1);
          }}
        />
      </Section>
      <Section title={title}>
        <Loaded load={load}>{({ data }) => <FoundTable caption={title} found={data} />}</Loaded>
      </Section>
      <Licences onChanged={load.reload} />
    </Page>
  );
}

function SearchForm({ onSearch }: { onSearch: (text: string) => void }) {
  const said = useWords(CONTENT);
  const [text, setText] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    onSearch(text.trim());
  };
  return (
    <form class="narrow" role="search" onSubmit={submit}>
      <TextField
        label={said.query}
        hint={said.queryHint}
        maxLength={200}
        value={text}
        onValue={setText}
      />
      <button class="primary">{said.find}</button>
    </form>
  );
}

function FoundTable({ caption, found }: { caption: string; found: readonly Found[] }) {
  const said = useWords(CONTENT);
  const format = useFormat();
  const tenant_id = useTenantId();
  return (
    <Table
      caption={caption}
      rows={found}
      keyOf={({ content }) => content.id}
      empty={said.noneFound}
      columns={[
        {
          title: said.article,
          cell: ({ content }) => (
            <a href={hashOf(["tenants", tenant_id, "content", content.id])}>{content.title}</a>
          ),
        },
        { title: said.source, cell: ({ content }) => content.source.name },
        { title: said.published, cell: ({ content }) => format.time(content.published_at) },
        { title: said.licence, cell: ({ licence }) => said.licencesShort[licence] },
        { title: said.state, cell: (item) => <Delivery of={item} /> },
      ]}
    />
  );
}
