/** A bucket of a service that speaks S3, and how it is reached. */
export interface S3Settings {
  readonly endpoint: URL;
  /** Where addresses that are handed out lead to: the endpoint as callers from outside reach it. */
  readonly publicEndpoint: URL;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** Silence on a connection after which the service is away. Absent: 10 s. */
  readonly silenceTimeoutMs?: number;
}

const SCHEMES: Readonly<Record<string, string>> = {
  "s3:": "https:",
  "s3+https:": "https:",
  "s3+http:": "http:",
};
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html, without dots: they break TLS names. */
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const DEFAULT_REGION = "us-east-1";
const PARAMETERS = ["region", "public"];

/**
 * Reads `s3://access-key:secret-key@host[:port]/bucket[?region=eu-west-1&public=https://files.example]`; `s3+http://`
 * is without TLS. Keys are percent-encoded where they hold `/`, `@` or `:`.
 *
 * @throws Error that says in words what is wrong, without repeating the URL: it holds a secret.
 */
export function parseS3Url(text: string): S3Settings {
  const scheme = /^[a-z0-9+]+:/.exec(text)?.[0] ?? "";
  const protocol = SCHEMES[scheme];
  const url = protocol === undefined ? null : URL.parse(protocol + text.slice(scheme.length));
  if (url === null) throw new Error("must look like s3://access-key:secret-key@host/bucket");
  const [accessKey, secretKey] = [url.username, url.password].map(decodeURIComponent);
  if (!accessKey || !secretKey)
    throw new Error("has no access-key:secret-key@ in front of the host");
  const bucket = url.pathname.slice(1);
  if (!BUCKET.test(bucket))
    throw new Error("has no bucket of 3 to 63 lower-case letters, digits and hyphens");
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.includes(name))
      throw new Error(`knows no parameter ${name}, only ${PARAMETERS.join(", ")}`);
  }
  return {
    endpoint: new URL(url.origin),
    publicEndpoint: publicEndpointOf(url.searchParams.get("public")) ?? new URL(url.origin),
    bucket,
    accessKey,
    secretKey,
    region: url.searchParams.get("region") ?? DEFAULT_REGION,
  };
}

function publicEndpointOf(text: string | null): URL | undefined {
  if (text === null) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error("has a public that is not an address like https://files.example");
  return url;
}
