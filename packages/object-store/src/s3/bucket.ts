import { S3Error, type Client } from "minio";
import type { ExpiryDays } from "../port.ts";
import type { S3Settings } from "./settings.ts";

/** One who opens at the same time has made it. */
const MADE_BY_ANOTHER = new Set(["BucketAlreadyOwnedByYou", "BucketAlreadyExists"]);

/** Makes the bucket where it is missing. One that is there is left as its operator has set it up. */
export async function prepareBucket(
  client: Client,
  { bucket, region }: S3Settings,
  expiryDays: ExpiryDays,
): Promise<void> {
  if (await client.bucketExists(bucket)) return;
  try {
    await client.makeBucket(bucket, region);
  } catch (error) {
    if (error instanceof S3Error && MADE_BY_ANOTHER.has(error.code ?? "")) return;
    throw error;
  }
  const rules = Object.entries(expiryDays).map(([prefix, Days]) => {
    const ID = `expire ${prefix}`;
    return { ID, Status: "Enabled", Filter: { Prefix: prefix }, Expiration: { Days } };
  });
  if (rules.length > 0) await client.setBucketLifecycle(bucket, { Rule: rules });
}
