import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Sealed } from "@feed/domain/facts";
import { waitFor } from "@feed/test-kit";
import { expect, it } from "vitest";
import {
  alice,
  openInstallation,
  openOne,
  personal,
  root,
  sealOne,
  TIMEOUT,
} from "./installation.fixture.ts";

/** A process on the same directories: answers each line of sealed fields with what they open to. */
const OTHER_PROCESS = `
  import { createInterface } from "node:readline";
  import { createFactCodec, openBundledRegistry } from "@feed/event-codec";
  import { openEmbeddedEventLog } from "@feed/event-log/embedded";
  import { openKeyring } from "@feed/signing";
  import { openPersonalData } from "./personal-data.ts";
  const { directory, table, root, alice, personal } = JSON.parse(process.argv[1]);
  const clock = { nowMs: () => Date.now() };
  const keyring = openKeyring({ root: Buffer.from(root, "base64"), clock });
  const codec = createFactCodec(openBundledRegistry());
  await using eventLog = await openEmbeddedEventLog({ directory });
  await using data = await openPersonalData({ eventLog, codec, keyring, directory: table, clock });
  const revive = (sealed) => ({ ...sealed, bytes: Buffer.from(sealed.bytes, "base64") });
  const [own] = await data.sealAll([{ ...alice, personal }]);
  console.log(JSON.stringify({ ...own, bytes: Buffer.from(own.bytes).toString("base64") }));
  for await (const line of createInterface({ input: process.stdin })) {
    const [outcome] = await data.openAll([{ ...alice, sealed: revive(JSON.parse(line)) }]);
    console.log(JSON.stringify(outcome));
  }`;

it("two processes share one key table: each opens what the other sealed, and deletion reaches both", async () => {
  await using installation = await openInstallation();
  const data = await installation.start();
  const settings = {
    directory: join(installation.directory, "log"),
    table: join(installation.directory, "keys"),
    root: Buffer.from(root).toString("base64"),
    alice,
    personal,
  };
  const child = spawn(
    process.execPath,
    ["--input-type=module-typescript", "--eval", OTHER_PROCESS, JSON.stringify(settings)],
    { stdio: ["pipe", "pipe", "inherit"], cwd: import.meta.dirname },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "");

  const sent = (await answer()) as Omit<Sealed, "bytes"> & { readonly bytes: string };
  const ofChild = { ...sent, bytes: Buffer.from(sent.bytes, "base64") };
  expect(await openOne(data, ofChild)).toEqual({ fields: personal });

  const own = await sealOne(data);
  const asLine = `${JSON.stringify({ ...own, bytes: Buffer.from(own.bytes).toString("base64") })}\n`;
  const openedByChild = async (): Promise<unknown> => {
    child.stdin.write(asLine);
    return answer();
  };
  expect(await openedByChild()).toEqual({ fields: personal });

  await data.forget(alice, alice.partition);
  expect(await openOne(data, ofChild)).toEqual({ fields: null });
  await waitFor(async () => JSON.stringify(await openedByChild()) === '{"fields":null}', TIMEOUT);

  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});
