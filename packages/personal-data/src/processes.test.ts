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
} from "./installation.fixture.ts";

it("two processes share a key table: each opens what the other sealed, deletion reaches both", async () => {
  await using installation = await openInstallation();
  const data = await installation.start();
  const settings = {
    directory: join(installation.directory, "log"),
    table: join(installation.directory, "keys"),
    root: Buffer.from(root).toString("base64"),
    item: { ...alice, personal },
  };
  const script = join(import.meta.dirname, "other-process.fixture.ts");
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
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

  await data.forgetAll([alice]);
  expect(await openOne(data, ofChild)).toEqual({ fields: null });
  await waitFor(async () => JSON.stringify(await openedByChild()) === '{"fields":null}');

  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});
