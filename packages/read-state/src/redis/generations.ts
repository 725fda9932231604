import { script, type RedisConnection } from "./connection.ts";

const READ = script("read-generations");

/**
 * The number in each hash, in the order asked; 0 where there is none. One script where one server holds all keys: a
 * command for each takes five times as long here.
 */
export async function generationsOf(
  redis: RedisConnection,
  keys: readonly string[],
): Promise<readonly number[]> {
  const [first, ...others] = keys;
  if (first === undefined) return [];
  const stored = redis.isCluster
    ? await Promise.all(keys.map((key) => redis.send(key, "HGET", key, "generation")))
    : ((await redis.run(READ, [first, ...others])) as readonly (Buffer | null)[]);
  return stored.map(Number);
}
