import { useState } from "preact/hooks";
import { addressOf, type Answer } from "../../shared/api.ts";
import { COMMON } from "../../shared/common.words.ts";
import { FileField } from "../../shared/field.tsx";
import { useFormat } from "../../shared/format.ts";
import { useWords } from "../../shared/language.ts";
import { useAction } from "../../shared/load.ts";
import { Notice, ProblemNotice } from "../../shared/notice.tsx";
import { Section } from "../../shared/page.tsx";
import { useSession, useTenantId } from "../../shared/session.ts";
import { Table } from "../../shared/table.tsx";
import { USERS } from "./users.words.ts";

type Imported = Answer<"adminImportUsers">["data"];

/** All users out as a file, and users in from one. */
export function UsersTransfer({ onImported }: { onImported: () => void }) {
  const said = useWords(USERS);
  const tenant_id = useTenantId();
  return (
    <Section title={said.transfer}>
      <div class="actions">
        <a
          class="button"
          href={addressOf("adminExportUsers", { tenant_id })}
          download={`${tenant_id}-users.jsonl`}
        >
          {said.exported}
        </a>
      </div>
      <p class="small">{said.exportNote}</p>
      <ImportForm onImported={onImported} />
    </Section>
  );
}

function ImportForm({ onImported }: { onImported: () => void }) {
  const said = useWords(USERS);
  const common = useWords(COMMON);
  const { api } = useSession();
  const tenant_id = useTenantId();
  const action = useAction();
  const [file, setFile] = useState<File | undefined>(undefined);
  const [imported, setImported] = useState<Imported | undefined>(undefined);
  const submit = (event: Event) => {
    event.preventDefault();
    if (file === undefined) return;
    setImported(undefined);
    void action.run(async () => {
      const { data } = await api.sendLines("adminImportUsers", { tenant_id }, file);
      setImported(data);
      onImported();
    });
  };
  return (
    <form class="stack" onSubmit={submit}>
      <FileField
        label={said.file}
        hint={said.fileHint}
        accept=".jsonl,.ndjson,application/x-ndjson"
        onFile={setFile}
      />
      <ProblemNotice error={action.error} />
      {imported !== undefined && <ImportOutcome imported={imported} />}
      <div class="actions">
        <button class="primary" disabled={action.isBusy || file === undefined}>
          {action.isBusy ? common.working : said.import}
        </button>
      </div>
    </form>
  );
}

function ImportOutcome({ imported: { lines, accepted, errors } }: { imported: Imported }) {
  const said = useWords(USERS);
  const format = useFormat();
  return (
    <>
      <div role="status">
        <Notice tone={errors.length === 0 ? "good" : "warning"}>
          {said.imported(format.number(accepted), format.number(lines))}
        </Notice>
      </div>
      {errors.length > 0 && (
        <Table
          caption={said.faults}
          rows={errors}
          keyOf={({ line, pointer, detail }) => `${line} ${pointer} ${detail}`}
          empty=""
          columns={[
            { title: said.line, cell: ({ line }) => format.number(line), isNumber: true },
            {
              title: said.field,
              cell: ({ pointer }) => (pointer === "" ? said.whole : <code>{pointer}</code>),
            },
            { title: said.fault, cell: ({ detail }) => <span lang="en">{detail}</span> },
          ]}
        />
      )}
    </>
  );
}
