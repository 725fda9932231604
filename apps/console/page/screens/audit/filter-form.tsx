import { useState } from "preact/hooks";
import { ChoiceField, TextField } from "../../shared/field.tsx";
import { useWords } from "../../shared/language.ts";
import { EVERYTHING, type Filter } from "./audit-filter.ts";
import { AUDIT } from "./audit.words.ts";

interface FilterFormProps {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** Says what of the log is wanted; it is asked for when the form is sent. */
export function FilterForm({ filter, onFilter }: FilterFormProps) {
  const said = useWords(AUDIT);
  const [draft, setDraft] = useState(filter);
  const show = (event: Event) => {
    event.preventDefault();
    onFilter(draft);
  };
  const clear = () => {
    setDraft(EVERYTHING);
    onFilter(EVERYTHING);
  };
  return (
    <form class="stack" onSubmit={show}>
      <div class="columns">
        <ChoiceField
          label={said.kind}
          value={draft.kind}
          options={[["", said.anyKind], ...Object.entries(said.kinds)]}
          onValue={(kind) => setDraft({ ...draft, kind })}
        />
        <TextField
          label={said.actor}
          hint={said.actorHint}
          maxLength={128}
          value={draft.actor}
          onValue={(actor) => setDraft({ ...draft, actor })}
        />
        <TextField
          label={said.from}
          type="datetime-local"
          value={draft.from}
          onValue={(from) => setDraft({ ...draft, from })}
        />
        <TextField
          label={said.to}
          type="datetime-local"
          value={draft.to}
          onValue={(to) => setDraft({ ...draft, to })}
        />
      </div>
      <div class="actions">
        <button class="primary">{said.filter}</button>
        <button type="button" onClick={clear}>
          {said.clear}
        </button>
      </div>
    </form>
  );
}
