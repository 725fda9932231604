/** How one HTTP API is set up; read from the environment by the process that opens it. */
export interface HttpApiSettings {
  /** Where callers reach the service, without a slash at the end; absent: the address it listens on. */
  readonly baseUrl?: string;
  /** `{problem_base}` of problem types, without a slash at the end; absent: the base URL. */
  readonly problemBase?: string;
  /** Addresses or CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Bearer token of `/admin/v1`. */
  readonly adminToken: string;
  /** How long a change waits to be seen before it is answered "not yet visible"; READ_YOUR_WRITES_TIMEOUT_MS when omitted. */
  readonly readYourWritesMs?: number;
}

/** Limits of a connection. Node's defaults are too generous: a minute for headers, checked every 30 s. */
export const CONNECTION_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the idle time of the usual load balancers, so that they close first.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16 * 1024,
} as const;
/** How long requests in progress may take after the API is told to close. */
export const DRAIN_MS_MAX = 10_000;
export const IDLE_CHECK_MS = 50;
