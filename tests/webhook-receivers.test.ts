import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@feed/webhooks/secrets";
import { signatureHeaders } from "@feed/webhooks/signature";
import { freePort, temporaryDirectory, waitFor } from "@feed/test-kit";
import { describe, expect, it } from "vitest";

/** Goal: the receivers of the documentation work as printed. Method: each is cut out, run, and posted to. */
const PAGE = readFileSync(join(import.meta.dirname, "../docs/operating/webhooks.md"), "utf8");
const RECEIVERS = [
  { fence: "ts", file: "receiver.ts", command: process.execPath },
  { fence: "python", file: "receiver.py", command: "python3" },
];
const [current, former, stranger] = [1, 2, 3].map((seed) => Buffer.alloc(32, seed)) as [
  Buffer,
  Buffer,
  Buffer,
];
const BODY = JSON.stringify({ event: "webhook.test", tenant_id: "朝" });

async function startReceiver({ fence, file, command }: (typeof RECEIVERS)[number]) {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  const [, code = ""] = new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(PAGE) ?? [];
  await writeFile(join(path, file), code);
  const port = await freePort();
  const child = spawn(command, [join(path, file)], {
    env: { ...process.env, PORT: `${port}`, WEBHOOK_SECRET: textOf(current) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  stack.defer(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const url = `http://127.0.0.1:${port}/`;
  const answers = () =>
    fetch(url, { method: "PUT", headers: { connection: "close" } }).then(
      () => true,
      () => false,
    );
  await waitFor(answers);
  const owned = stack.move();
  return {
    printed: () => printed,
    post: async (
      id: string,
      secrets: readonly Buffer[],
      options: { ageMs?: number; body?: string } = {},
    ) => {
      const signed = { id, atMs: Date.now() - (options.ageMs ?? 0), body: BODY };
      const signature = secrets.length === 0 ? {} : signatureHeaders(signed, secrets);
      // A connection that is kept ends after seconds without a request, perhaps just as it is used again.
      const headers = { ...signature, connection: "close" };
      return (await fetch(url, { method: "POST", headers, body: options.body ?? BODY })).status;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe("docs/operating/webhooks.md", () => {
  it.each(RECEIVERS.map((receiver) => [receiver.fence, receiver] as const))(
    "has a receiver in %s that takes what is signed and fresh, and nothing else",
    async (_, receiver) => {
      await using running = await startReceiver(receiver);
      expect(await running.post("signed", [current])).toBe(204);
      expect(await running.post("rotating", [former, current])).toBe(204);
      expect(await running.post("forged", [stranger])).toBe(401);
      expect(await running.post("unsigned", [])).toBe(401);
      expect(await running.post("old", [current], { ageMs: 301_000 })).toBe(401);
      expect(await running.post("changed", [current], { body: `${BODY} ` })).toBe(401);
      await expect.poll(() => running.printed()).toBe(`signed ${BODY}\nrotating ${BODY}\n`);
    },
  );
});
