import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { COMMON } from "./common.words.ts";
import { useWords } from "./language.ts";
import type { Load } from "./load.ts";
import { ProblemNotice } from "./notice.tsx";

interface PageProps {
  readonly title: string;
  /** What the screen is for, in a sentence. */
  readonly lead?: string;
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A screen: its heading has the focus when it opens, so that a screen reader says where the reader is. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Content Feed`;
  }, [title]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <div class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

/** A part of a screen with a heading of its own. */
export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface LoadedProps<Value> {
  readonly load: Load<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** What was asked for once it is there; until then that it is coming, or why it is not. */
export function Loaded<Value>({ load, children }: LoadedProps<Value>) {
  const said = useWords(COMMON);
  if (load.state === "ready") return <>{children(load.value)}</>;
  if (load.state === "loading")
    return (
      <p class="loading" role="status">
        {said.loading}
      </p>
    );
  return (
    <>
      <ProblemNotice error={load.error} />
      <button type="button" onClick={load.reload}>
        {said.retry}
      </button>
    </>
  );
}
