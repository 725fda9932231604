/**
 * Named in an article's `analysedBy`, each by the field it made. A change of what comes out of the same
 * input is a new version.
 */
export const BODY_VERSIONS = {
  body: "body-1",
  markdown: "markdown-2",
  summary: "summary-2",
} as const satisfies Readonly<Record<string, string>>;
