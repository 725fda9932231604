import { PROBLEM_TYPES } from "./problem-types.ts";
import type { ProblemSlug } from "./problem-types.ts";

/** One fault of a request: where (JSON Pointer, or `query:`, `path:`, `header:` and a name) and what. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

interface ProblemOptions {
  /** Differs from the type's for broken HTTP alone (408, 431). */
  readonly status?: number;
  /** Further members of the document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is a problem document; thrown by handlers, written by the error middleware. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(slug: ProblemSlug, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.slug = slug;
    this.status = options.status ?? PROBLEM_TYPES[slug].status;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}

/** Faults listed in one answer. */
const FAULTS_LISTED_MAX = 100;

export function validationProblem(faults: readonly Fault[]): Problem {
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  return new Problem("validation", `The request has ${count}; the first: ${describe(faults[0])}`, {
    members: { errors: faults.slice(0, FAULTS_LISTED_MAX) },
  });
}

function describe(fault: Fault | undefined): string {
  if (fault === undefined) return "unknown";
  // The pointer to a whole document is empty (RFC 6901).
  return `${fault.pointer === "" ? "the body" : fault.pointer} ${fault.detail}.`;
}

export function notFound(what: string): Problem {
  return new Problem("not-found", `There is no such ${what}.`);
}

/** 503 with Retry-After. */
export function unavailable(detail: string, retryAfterSeconds: number): Problem {
  return new Problem("unavailable", detail, {
    headers: { "Retry-After": `${retryAfterSeconds}` },
  });
}

/** RFC 9457. `instance` is the path of the request; `problemBase` ends without a slash. */
export function problemDocument(
  problem: Problem,
  problemBase: string,
  instance: string,
): Readonly<Record<string, unknown>> {
  return {
    type: `${problemBase}/probs/${problem.slug}`,
    title: PROBLEM_TYPES[problem.slug].title,
    status: problem.status,
    detail: problem.message,
    instance,
    ...problem.members,
  };
}
