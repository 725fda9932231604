import { InvalidArgumentError, type Command } from "commander";
import type { FollowedTopic, PartitionLag } from "@feed/projector/lag";
import { operate, operatingCommand, type OperatingFlags } from "./operating.ts";
import { textTable } from "./text-table.ts";

interface LagFlags extends OperatingFlags {
  readonly maxSeconds?: number;
}

/** `feedctl lag`: how far each consumer group lies behind the log; docs/operating/lag.md. */
export function lagCommand(dataDefault: string): Command {
  return operatingCommand("lag", "Show how far consumers lie behind the log", dataDefault)
    .option("--max-seconds <seconds>", "end with 1 where a partition lags by more", seconds)
    .action((flags: LagFlags) =>
      operate("lag", flags, async (installation, log) => {
        const { readLags } = await import("../lag-role.ts");
        const lags = await readLags(installation, log);
        console.log(flags.json ? JSON.stringify({ groups: lags.map(presented) }) : lagText(lags));
        const maxMs = (flags.maxSeconds ?? Infinity) * 1_000;
        return lags.some(({ lagMs }) => lagMs > maxMs) ? "found" : "well";
      }),
    );
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError("not a number of seconds");
  return value;
}

function presented({ lagMs, ...lag }: PartitionLag) {
  const { group, topic, partition, committedOffset, endOffset, lagRecords } = lag;
  return {
    group,
    topic,
    partition,
    committed_offset: committedOffset,
    end_offset: endOffset,
    lag_records: lagRecords,
    lag_seconds: lagMs / 1_000,
  };
}

/** Each group in one line, and below it the partitions in which it is behind. */
function lagText(lags: readonly PartitionLag[]): string {
  const head = ["GROUP", "TOPIC", "PARTITION", "COMMITTED", "END", "RECORDS", "SECONDS"];
  const groups = new Map(lags.map((lag) => [`${lag.group} ${lag.topic}`, lag]));
  const rows = [...groups.values()].flatMap((followed) => {
    const of = lags.filter((lag) => isOf(lag, followed));
    const behind = of.filter(({ lagRecords }) => lagRecords > 0);
    return [totalRow(followed, of), ...behind.map(partitionRow)];
  });
  return textTable([head, ...rows]);
}

function isOf(lag: PartitionLag, { group, topic }: FollowedTopic): boolean {
  return lag.group === group && lag.topic === topic;
}

function totalRow(
  { group, topic }: FollowedTopic,
  lags: readonly PartitionLag[],
): readonly string[] {
  const sum = (of: (lag: PartitionLag) => number) =>
    lags.reduce((total, lag) => total + of(lag), 0);
  const oldestMs = Math.max(...lags.map(({ lagMs }) => lagMs));
  const records = sum(({ lagRecords }) => lagRecords);
  const [committed, end] = [sum((lag) => lag.committedOffset ?? 0), sum((lag) => lag.endOffset)];
  return [group, topic, "-", ...[committed, end, records].map(String), secondsText(oldestMs)];
}

function partitionRow(lag: PartitionLag): readonly string[] {
  const { partition, committedOffset, endOffset, lagRecords, lagMs } = lag;
  const committed = committedOffset === null ? "-" : String(committedOffset);
  const numbers = [String(partition), committed, String(endOffset), String(lagRecords)];
  return ["", "", ...numbers, secondsText(lagMs)];
}

function secondsText(spanMs: number): string {
  return (spanMs / 1_000).toFixed(1);
}
