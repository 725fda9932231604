import { HOST, type Engine } from "../engine.ts";
import { ask } from "./ask.ts";
import { installRedis, REDIS_STAMP, redisCommand } from "./program.ts";

export const redis: Engine = {
  name: "redis",
  usualPorts: { main: 6379 },
  stamp: REDIS_STAMP,
  install: installRedis,

  async prepare({ data, ports }) {
    return redisCommand(["--bind", HOST, "--port", String(ports["main"]), "--dir", data]);
  },

  /** Not yet while it loads its data. */
  isReady: async ({ ports }) =>
    (await ask(ports["main"] ?? 0, "PING"))?.startsWith("+PONG") === true,

  variables: ({ ports }) => ({ READ_STATE: `redis://${HOST}:${ports["main"]}` }),
};
