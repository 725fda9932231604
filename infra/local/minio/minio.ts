import { join } from "node:path";
import { answers, HOST, type Engine, type EnginePlace } from "../engine.ts";
import { run } from "../run.ts";

/** The last version of the community's source, whose images and programs are no longer published. */
const MODULE = "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c";
const USER = "feed-local";
const PASSWORD = "feed-local-secret";
const BUCKET = "feed";

export const minio: Engine = {
  name: "minio",
  usualPorts: { main: 9000 },
  stamp: MODULE,

  /** Compiles for about three minutes; the compiler's own cache shortens the next time. */
  async install(directory) {
    await run("building MinIO", "go", ["install", "-trimpath", "-ldflags", "-s -w", MODULE], {
      cwd: directory,
      env: { GOBIN: directory, CGO_ENABLED: "0" },
    });
  },

  async prepare({ program, data, ports }) {
    return {
      program: join(program, "minio"),
      args: ["server", data, "--address", `${HOST}:${ports["main"]}`, "--quiet"],
      env: {
        MINIO_ROOT_USER: USER,
        MINIO_ROOT_PASSWORD: PASSWORD,
        MINIO_BROWSER: "off",
        MINIO_UPDATE: "off",
        // It would else refuse a directory on the disk of the system.
        MINIO_CI_CD: "1",
      },
    };
  },

  isReady: (place) => answers(`http://${addressOf(place)}/minio/health/ready`),

  variables: (place) => ({
    OBJECT_STORE: `s3+http://${USER}:${PASSWORD}@${addressOf(place)}/${BUCKET}`,
  }),
};

function addressOf({ ports }: EnginePlace): string {
  return `${HOST}:${ports["main"]}`;
}
