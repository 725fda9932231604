import { join } from "node:path";
import { answers, HOST, type Engine, type EnginePlace } from "../engine.ts";
import { REPOSITORY } from "../directories.ts";

const SERVER = join(REPOSITORY, "packages/activity-store/src/embedded-server.ts");
const PASSWORD = "feed-local";

/** The ClickHouse engine behind ClickHouse's HTTP interface. It comes with the packages of the service. */
export const clickhouse: Engine = {
  name: "clickhouse",
  usualPorts: { main: 8123 },
  stamp: "with the service",

  install: async () => undefined,

  async prepare({ data, ports }) {
    return {
      program: process.execPath,
      args: [SERVER],
      env: {
        CLICKHOUSE_DIRECTORY: data,
        CLICKHOUSE_PASSWORD: PASSWORD,
        CLICKHOUSE_PORT: String(ports["main"]),
      },
    };
  },

  isReady: (place) => answers(`http://${addressOf(place)}/ping`),

  variables: (place) => ({
    ACTIVITY_STORE: `clickhouse+http://default:${PASSWORD}@${addressOf(place)}`,
  }),
};

function addressOf({ ports }: EnginePlace): string {
  return `${HOST}:${ports["main"]}`;
}
