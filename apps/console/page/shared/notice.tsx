import type { ComponentChildren } from "preact";
import { Refused, Unreachable } from "./api.ts";
import { useWords } from "./language.ts";
import { PROBLEMS, problemNamed } from "./problem.words.ts";

export type Tone = "good" | "plain" | "warning" | "bad";

/** A remark in a box; the tone is said by its words too, never by its colour alone. */
export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

/** A short state beside something. */
export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/**
 * What went wrong, in the reader's words, and below it the service's own sentence. Nothing where nothing did. It is
 * announced as soon as it is there.
 */
export function ProblemNotice({ error }: { error: unknown }) {
  const said = useWords(PROBLEMS);
  if (error === undefined) return null;
  if (!(error instanceof Refused)) {
    const words = error instanceof Unreachable ? said.unreachable : said.other;
    return (
      <div class="notice bad" role="alert">
        <p>{words}</p>
      </div>
    );
  }
  const { problem, slug, retryAfterSeconds } = error;
  return (
    <div class="notice bad" role="alert">
      <p>
        {said[problemNamed(slug)]} {retryAfterSeconds !== undefined && said.wait(retryAfterSeconds)}
      </p>
      <p class="small" lang="en">
        {problem.detail}
      </p>
      {problem.errors !== undefined && problem.errors.length > 0 && (
        <ul class="small" lang="en">
          {problem.errors.map(({ pointer, detail }) => (
            <li key={pointer}>
              <code>{pointer}</code>: {detail}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
