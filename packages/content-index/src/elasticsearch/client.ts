import { Client } from "@elastic/elasticsearch";
import { unavailableUnlessDone } from "../faults.ts";
import type { ElasticsearchSettings } from "./settings.ts";

const REQUEST_TIMEOUT_MS_DEFAULT = 5_000;
/** Indexes, templates and aliases are made by whoever starts or operates: a busy cluster may take its time. */
const MAKING_TIMEOUT_MS = 30_000;
const RETRIES_MAX = 1;

/** A client for as long as the work takes. */
export async function withClient<Result>(
  settings: ElasticsearchSettings,
  failure: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = clientOf(settings, MAKING_TIMEOUT_MS);
  try {
    const what = `${failure} the content index at ${settings.node}`;
    return await unavailableUnlessDone(what, () => work(client));
  } finally {
    await client.close();
  }
}

export function clientOf(
  { node, auth }: ElasticsearchSettings,
  requestTimeoutMs: number = REQUEST_TIMEOUT_MS_DEFAULT,
): Client {
  return new Client({
    node,
    ...(auth === undefined ? {} : { auth }),
    requestTimeout: requestTimeoutMs,
    maxRetries: RETRIES_MAX,
  });
}
