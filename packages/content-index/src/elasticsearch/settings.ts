/** A cluster, and the part of it that belongs to one installation. */
export interface ElasticsearchSettings {
  /** Address of a node or of what stands before them, without credentials. */
  readonly node: string;
  readonly auth?: { readonly username: string; readonly password: string };
  /** In front of the names of indexes, aliases and templates. */
  readonly prefix: string;
  /** Of indexes that are created. */
  readonly shards: number;
  /** Copies of each shard; absent: one where there is a second node. */
  readonly replicas?: number;
}

const SCHEME = "elasticsearch+";
/** What Elasticsearch allows in names, and nothing that could be taken for several of them. */
const PREFIX = /^(?:[a-z0-9][a-z0-9._-]{0,99})?$/;
const COUNT_MAX = 64;

/**
 * Reads `elasticsearch+http://[user:password@]host:port[/prefix][?shards=2&replicas=1]`, or the same with `https`.
 *
 * @throws Error that says in words what is wrong, without repeating the URL: it may hold a password.
 */
export function parseElasticsearchUrl(text: string): ElasticsearchSettings {
  const url = text.startsWith(SCHEME) ? URL.parse(text.slice(SCHEME.length)) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "")
    throw new Error(
      "must look like elasticsearch+http://host:9200 or elasticsearch+https://host/prefix",
    );
  const prefix = url.pathname.slice(1);
  if (!PREFIX.test(prefix))
    throw new Error("has a prefix that is not up to 100 lower-case letters, digits or ._-");
  for (const name of url.searchParams.keys()) {
    if (name !== "shards" && name !== "replicas")
      throw new Error(`knows no parameter ${name}, only shards, replicas`);
  }
  const replicas = countOf(url, "replicas", 0);
  const { username, password } = url;
  return {
    node: url.origin,
    ...(username === ""
      ? {}
      : {
          auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
        }),
    prefix,
    shards: countOf(url, "shards", 1) ?? 1,
    ...(replicas === undefined ? {} : { replicas }),
  };
}

function countOf(url: URL, name: string, min: number): number | undefined {
  const text = url.searchParams.get(name);
  if (text === null) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < min || count > COUNT_MAX)
    throw new Error(`has ${name} that are not ${min} to ${COUNT_MAX}`);
  return count;
}
