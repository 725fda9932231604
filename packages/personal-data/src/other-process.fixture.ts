import { createInterface } from "node:readline";
import type { Sealed } from "@feed/domain/facts";
import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
import { openEmbeddedEventLog } from "@feed/event-log/embedded";
import { openKeyring } from "@feed/signing";
import { systemClock } from "@feed/runtime";
import { openPersonalData } from "./personal-data.ts";
import type { SealItem } from "./port.ts";

/** What the test passes as the only argument, in JSON. */
interface Settings {
  readonly directory: string;
  readonly table: string;
  readonly root: string;
  readonly item: SealItem;
}

// Prints the item sealed, then answers each line of sealed fields with what they open to.
const { directory, table, root, item } = JSON.parse(process.argv[2] ?? "") as Settings;
const clock = systemClock;
const keyring = openKeyring({ root: Buffer.from(root, "base64"), clock });
const codec = createFactCodec(openBundledRegistry());
await using eventLog = await openEmbeddedEventLog({ directory });
await using data = await openPersonalData({ eventLog, codec, keyring, directory: table, clock });

for (const sealed of await data.sealAll([item])) answer(forLine(sealed));
for await (const line of createInterface({ input: process.stdin })) {
  const { bytes, ...sealed } = JSON.parse(line) as ReturnType<typeof forLine>;
  const open = { ...item, sealed: { ...sealed, bytes: Buffer.from(bytes, "base64") } };
  answer((await data.openAll([open]))[0]);
}

function forLine(sealed: Sealed): Omit<Sealed, "bytes"> & { readonly bytes: string } {
  return { ...sealed, bytes: Buffer.from(sealed.bytes).toString("base64") };
}

function answer(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
