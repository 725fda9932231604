import { join } from "node:path";
import { ActivityStoreUnavailable } from "@feed/activity-store";
import { ContentIndexUnavailable } from "@feed/content-index";
import { openEmbeddedObjectStore } from "@feed/object-store/embedded";
import { createPushService, type PushDependencies } from "@feed/push";

type GeneratingParts = "activityStore" | "contentIndex" | "embedder" | "pictures";

/** A push service whose requests are taken and shown, while nobody works on them. */
export async function openTestPush(
  path: string,
  parts: Omit<PushDependencies, GeneratingParts | "objectStore"> & {
    readonly keyring: Parameters<typeof openEmbeddedObjectStore>[0]["keyring"];
  },
) {
  const objectStore = await openEmbeddedObjectStore({
    directory: join(path, "objects"),
    keyring: parts.keyring,
    clock: parts.clock,
    baseUrl: () => "https://feed.example",
  });
  return {
    service: createPushService({ ...parts, ...awayParts(), objectStore }),
    [Symbol.asyncDispose]: () => objectStore[Symbol.asyncDispose](),
  };
}

/** What only generating needs: a dry run finds it away. */
function awayParts(): Pick<PushDependencies, GeneratingParts> {
  const away = () => Promise.reject(new ContentIndexUnavailable("not opened"));
  const audience = () => {
    throw new ActivityStoreUnavailable("not opened");
  };
  const parts = {
    activityStore: { audience, engagement: away, positions: away },
    contentIndex: { recall: away },
    embedder: {},
    pictures: {},
  };
  return parts as unknown as Pick<PushDependencies, GeneratingParts>;
}
