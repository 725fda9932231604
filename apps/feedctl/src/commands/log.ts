import { Command } from "commander";
import { engineUrlViolations, type EngineUrls } from "@feed/engines/engine-urls";
import { ConfigError } from "@feed/runtime";
import { OperationFailed } from "../failure.ts";
import type { LogCopyResult } from "../log-copy/log-copy-role.ts";
import { operate, operatingCommand, type OperatingFlags } from "./operating.ts";
import { textTable } from "./text-table.ts";

interface CopyFlags extends OperatingFlags {
  readonly to: string;
  readonly schemaRegistry: string;
}

/** What is told of a URL that is wrong begins with its flag; `log copy` takes no other engines. */
const FLAGS: Readonly<Record<keyof EngineUrls, string>> = {
  eventLog: "--to",
  schemaRegistry: "--schema-registry",
  contentIndex: "",
  activityStore: "",
  readState: "",
  objectStore: "",
};

/** `feedctl log copy`: an embedded installation moves to a cluster; docs/operating/move-to-a-cluster.md. */
export function logCommand(dataDefault: string): Command {
  const copy = operatingCommand(
    "copy",
    "Copy the embedded log of a stopped service into Kafka, and its objects into OBJECT_STORE; a second call goes on where the first ended",
    dataDefault,
  )
    .requiredOption("--to <url>", "kafka://host:9092,host:9092/prefix")
    .requiredOption("--schema-registry <url>", "http://host:8081, the registry beside it")
    .action((flags: CopyFlags) =>
      operate("log copy", flags, async (installation, log) => {
        const [{ copyLog }, { lockDataDirectory }] = await Promise.all([
          import("../log-copy/log-copy-role.ts"),
          import("../up/data-lock.ts"),
        ]);
        if (installation.engines?.eventLog !== undefined)
          throw new ConfigError(["EVENT_LOG is set: the log that is copied is the embedded one"]);
        const urls = { eventLog: flags.to, schemaRegistry: flags.schemaRegistry };
        const violations = engineUrlViolations(urls, FLAGS);
        if (violations.length > 0) throw new ConfigError(violations);
        // Whoever appends meanwhile appends to a log that is given up.
        using _lock = lockDataDirectory(installation.dataDirectory);
        const stop = new AbortController();
        process.once("SIGINT", () =>
          stop.abort(new OperationFailed("interrupted: call it again to go on")),
        );
        const { to, schemaRegistry } = flags;
        const { signal } = stop;
        const output = process.stderr;
        const result = await copyLog({ installation, to, schemaRegistry, log, output, signal });
        console.log(flags.json ? JSON.stringify(presented(result)) : resultText(result));
        return result.agrees ? "well" : "found";
      }),
    );
  return new Command("log").description("Moves the event log").addCommand(copy);
}

function presented({ copied, tookMs, partitions, objects, agrees }: LogCopyResult) {
  return {
    agrees,
    copied,
    seconds: tookMs / 1_000,
    partitions,
    objects: objects
      ? {
          copied: objects.copied,
          copied_bytes: objects.copiedBytes,
          already_there: objects.alreadyThere,
          differing: objects.differing,
        }
      : null,
  };
}

function objectsText(objects: LogCopyResult["objects"]): string {
  if (objects === undefined) return "objects stay where they are: OBJECT_STORE is not set";
  const { copied, copiedBytes, alreadyThere, differing } = objects;
  const sum = `${copied} objects copied, ${copiedBytes} bytes; ${alreadyThere} were there`;
  return differing === 0 ? sum : `${sum}; ${differing} of the copied are not as large as they were`;
}

function resultText({ copied, tookMs, partitions, objects }: LogCopyResult): string {
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const rows = topics.map((topic) => {
    const of = partitions.filter((partition) => partition.topic === topic);
    const here = of.reduce((sum, { source }) => sum + source.records, 0);
    const there = of.reduce((sum, { target }) => sum + target.records, 0);
    const differing = of.filter((partition) => !partition.agrees);
    const told = differing.map(({ partition }) => partition).join(", ");
    return [topic, String(of.length), String(here), String(there), told];
  });
  const logAgrees = partitions.every((partition) => partition.agrees);
  const perSecond = Math.round((copied * 1_000) / Math.max(1, tookMs));
  return [
    `${copied} records copied in ${(tookMs / 1_000).toFixed(1)} s, ${perSecond}/s`,
    textTable([["TOPIC", "PARTITIONS", "HERE", "THERE", "DIFFERING"], ...rows]),
    logAgrees
      ? "counts and checksums agree in every partition"
      : "the target differs in the partitions named",
    objectsText(objects),
  ].join("\n");
}
