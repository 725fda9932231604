import { Command } from "commander";
import { ConfigError } from "@feed/runtime";
import { portNumber } from "./parse.ts";
import type { RoleFlags } from "../roles/run-role.ts";

type RoleRunner = (flags: RoleFlags) => Promise<void>;

const KEEPS = ["all", "serving", "activity"] as const;

/** `feedctl api`, `projector`, `push` and `crawler`: the roles of `up` as processes, any number of each. */
export function roleCommands(defaultData: string, defaultPort: number): readonly Command[] {
  const role = (name: string, description: string, port: number, run: RoleRunner) =>
    new Command(name)
      .description(description)
      .option("--host <address>", "address to listen on", "127.0.0.1")
      .option("--port <number>", "port to listen on; 0 takes a free one", portNumber, port)
      .option("--data <directory>", "where this process keeps what is its own", defaultData)
      .action(run);
  const api = role("api", "Answer the HTTP API, on outside engines", defaultPort, async (flags) => {
    const { runApi } = await import("../roles/processes.ts");
    await runApi(flags);
  });
  const projector = role("projector", "Keep the read models up to the log", 0, async (flags) => {
    const { runProjector } = await import("../roles/processes.ts");
    await runProjector(flags, keepsOf(flags));
  }).option("--keeps <what>", KEEPS.join(", "), "all");
  const push = role("push", "Work on push jobs and webhooks", 0, async (flags) => {
    const { runPush } = await import("../roles/processes.ts");
    await runPush(flags);
  });
  const crawler = role(
    "crawler",
    "Crawl the sources; one does, others stand by",
    0,
    async (flags) => {
      const { runCrawler } = await import("../roles/processes.ts");
      await runCrawler(flags);
    },
  );
  return [api, projector, push, crawler];
}

function keepsOf(flags: RoleFlags & { readonly keeps?: string }): (typeof KEEPS)[number] {
  const keeps = KEEPS.find((known) => known === flags.keeps);
  if (keeps === undefined) throw new ConfigError([`--keeps must be one of ${KEEPS.join(", ")}`]);
  return keeps;
}
