import { writeSync } from "node:fs";

import { openEmbeddedEventLog } from "../embedded.ts";
import type { LogPosition } from "@feed/domain/topics";

/**
 * A process that appends until it is killed: arguments directory, name, appends at once. Each
 * acknowledged append is one line on stdout, written by the time the next one begins: [text, partition,
 * offset] of each record.
 */
const [directory = "", name = "", atOnce = "1"] = process.argv.slice(2);
const log = await openEmbeddedEventLog({ directory });

async function appendForever(appender: number): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const texts = Array.from(
      { length: 1 + (turn % 5) },
      (_, n) => `${name}/${appender}/${turn}/${n}`,
    );
    const positions = await log.append(
      texts.map((text, n) => ({
        topic: "users",
        partition: (turn + n) % 4,
        key: "k",
        value: Buffer.from(text.padEnd(1 + ((turn * 97) % 3_000))),
        timestampMs: turn,
      })),
    );
    acknowledge(texts, positions);
  }
}

function acknowledge(texts: readonly string[], positions: readonly LogPosition[]): void {
  const line = JSON.stringify(
    texts.map((text, n) => [text, positions[n]?.partition, positions[n]?.offset]),
  );
  // Synchronous: a line that the system has taken is read by the parent even when this process is killed next.
  writeSync(1, `${line}\n`);
}

await Promise.all(Array.from({ length: Number(atOnce) }, (_, appender) => appendForever(appender)));
