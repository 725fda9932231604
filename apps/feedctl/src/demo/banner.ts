import type { DemoFacts } from "./state.ts";

/** What `make run` prints once the first articles can be served; every line can be pasted. */
export function demoBanner(facts: DemoFacts, articles: number, firstContentId: string): string {
  const { base_url: base, api_key: key } = facts;
  const auth = `-H 'Authorization: Bearer ${key}'`;
  const event = JSON.stringify({
    events: [
      { type: "click", user_id: "reader-1", session_id: "session-1", content_id: firstContentId },
    ],
  });
  return [
    "",
    `  Content Feed is running at ${base} with ${articles} articles so far; more are being crawled.`,
    "",
    `  Playground     ${base}/playground`,
    `  Documentation  ${base}/docs`,
    `  Sign in        ${facts.sign_in_url}`,
    `                 as the operator, once`,
    `  Demo tenant    ${facts.tenant_id}, key ${key}`,
    "",
    "  A feed, a click, and the next feed without what was clicked:",
    "",
    `  curl -s '${base}/v1/feed?user_id=reader-1&limit=3' ${auth}`,
    `  curl -s -X POST '${base}/v1/events' ${auth} -H 'Content-Type: application/json' -d '${event}'`,
    `  curl -s '${base}/v1/feed?user_id=reader-1&limit=3&explain=true' ${auth}`,
    "",
    "  Ctrl-C stops it. The data stays in the data directory.",
    "",
  ].join("\n");
}
