import { HOST, type Engine } from "../engine.ts";
import { ask } from "./ask.ts";
import { installRedis, REDIS_STAMP, redisCommand } from "./program.ts";

const ALL_SLOTS = "0 16383";

/** A cluster of one node: it refuses what a cluster of many refuses, commands whose keys lie in several slots. */
export const redisCluster: Engine = {
  name: "redis-cluster",
  usualPorts: { main: 6479, bus: 16479 },
  stamp: REDIS_STAMP,
  install: installRedis,

  async prepare({ data, ports }) {
    const listen = ["--bind", HOST, "--port", String(ports["main"])];
    const cluster = ["--cluster-enabled", "yes", "--cluster-port", String(ports["bus"])];
    return redisCommand([...listen, ...cluster, "--dir", data]);
  },

  /** A new node serves once it is given its slots; one that has them refuses to take them again. */
  async isReady({ ports }) {
    const port = ports["main"] ?? 0;
    const state = (await ask(port, "CLUSTER INFO")) ?? "";
    if (state.includes("cluster_slots_assigned:0"))
      await ask(port, `CLUSTER ADDSLOTSRANGE ${ALL_SLOTS}`);
    return state.includes("cluster_state:ok");
  },

  variables: ({ ports }) => ({
    READ_STATE_CLUSTER: `redis-cluster://${HOST}:${ports["main"]}`,
  }),
};
