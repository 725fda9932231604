import { useState } from "preact/hooks";
import { useWords } from "../../shared/language.ts";
import { useLoad } from "../../shared/load.ts";
import { Loaded, Page, Section } from "../../shared/page.tsx";
import { useReloadWhile } from "../../shared/reload-while.ts";
import { useSession } from "../../shared/session.ts";
import { Consumers } from "./consumers.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { OPERATIONS } from "./operations.words.ts";
import { ReadModels } from "./read-models.tsx";
import { Rebuilds } from "./rebuilds.tsx";
import { Sources } from "./sources.tsx";
import { isRunning } from "./standing.ts";

/** What an operator looks at first. */
export function OperationsScreen() {
  const said = useWords(OPERATIONS);
  const { api } = useSession();
  const load = useLoad(() => api.call("adminGetOperations", {}), []);
  useReloadWhile(
    load,
    ({ data: { consumers, rebuilds } }) =>
      consumers.some(({ lag_records }) => lag_records > 0) || rebuilds.some(isRunning),
  );
  const [round, setRound] = useState(0);
  const refreshAll = () => {
    load.reload();
    setRound(round + 1);
  };
  const refresh = (
    <button type="button" onClick={refreshAll}>
      {said.refresh}
    </button>
  );
  return (
    <Page title={said.title} lead={said.lead} actions={refresh}>
      <Section title={said.lag}>
        <Loaded load={load}>{({ data }) => <Consumers consumers={data.consumers} />}</Loaded>
      </Section>
      <Section title={said.models}>
        <p class="small">
          {said.modelsNote} <code>npm run feedctl -- rebuild READ_MODEL</code>
        </p>
        <Loaded load={load}>
          {({ data }) => (
            <>
              <ReadModels operations={data} />
              <Rebuilds rebuilds={data.rebuilds} />
            </>
          )}
        </Loaded>
      </Section>
      <DeadLetters round={round} />
      <Sources round={round} />
    </Page>
  );
}
