import { COMMON } from "./common.words.ts";
import { useWords } from "./language.ts";
import { ProblemNotice } from "./notice.tsx";
import type { Pages } from "./pages.ts";

/** Below a list: asks for its next page, as long as there is one. */
export function More<Row>({ pages: { more, asking } }: { pages: Pages<Row> }) {
  const said = useWords(COMMON);
  return (
    <>
      <ProblemNotice error={asking.error} />
      {more !== undefined && (
        <div class="actions">
          <button type="button" disabled={asking.isBusy} onClick={more}>
            {asking.isBusy ? said.working : said.more}
          </button>
        </div>
      )}
    </>
  );
}
