import { BoundedCache } from "@feed/domain/bounded-cache";
import {
  PUSH_DOWNLOAD_REISSUE_MS,
  PUSH_DOWNLOAD_TTL_MS,
  PUSH_RESULT_TTL_MS,
} from "@feed/domain/limits";
import { progressOf, type PushJobState } from "@feed/domain/push";
import type { ObjectStore } from "@feed/object-store";
import type { PushJobView } from "./service.ts";

type Download = NonNullable<PushJobView["download"]>;

/** Addresses remembered; a forgotten one is issued again for the same time. */
const DOWNLOADS_MAX = 1_000;

/** Jobs as their tenants see them. */
export class JobViews {
  readonly #objectStore: Pick<ObjectStore, "presignGet">;
  /** By job, the latest one. */
  readonly #downloads = new BoundedCache<string, Download>(DOWNLOADS_MAX);

  constructor(objectStore: Pick<ObjectStore, "presignGet">) {
    this.#objectStore = objectStore;
  }

  async of(state: PushJobState, nowMs: number): Promise<PushJobView> {
    return { state, progress: progressOf(state), download: await this.#downloadOf(state, nowMs) };
  }

  /** Issued anew when less than PUSH_DOWNLOAD_REISSUE_MS is left, for as long as the result is kept. */
  async #downloadOf({ completed }: PushJobState, nowMs: number): Promise<Download | null> {
    if (completed === null || nowMs >= completed.atMs + PUSH_RESULT_TTL_MS) return null;
    const { jobId, tenantId, resultKey } = completed;
    const name = `${tenantId}\n${jobId}`;
    const known = this.#downloads.get(name);
    if (known !== undefined && known.expiresAtMs - nowMs >= PUSH_DOWNLOAD_REISSUE_MS) return known;
    const url = await this.#objectStore.presignGet(resultKey, {
      expiresInMs: PUSH_DOWNLOAD_TTL_MS,
      downloadName: `${jobId}.jsonl`,
    });
    const issued = { url, expiresAtMs: nowMs + PUSH_DOWNLOAD_TTL_MS };
    this.#downloads.set(name, issued);
    return issued;
  }
}
