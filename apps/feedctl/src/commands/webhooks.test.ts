import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { startService, type ServiceProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenCommand } from "./listen.ts";
import { runHere } from "./run-here.fixture.ts";
import { webhooksCommand } from "./webhooks.ts";

/**
 * Goal: the commands as an operator types them. Method: a running service, `listen` as a process beside it, the other
 * commands in this one.
 */
const MAIN = join(import.meta.dirname, "../main.ts");
const NODE_FLAGS = ["--disable-warning=ExperimentalWarning"];

const stack = new AsyncDisposableStack();
let path: string;
let service: ServiceProcess;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  service = stack.use(await startService({ dataDirectory: path }));
  const token = (await readFile(join(path, "admin.token"), "utf8")).trim();
  const answer = await fetch(`${service.baseUrl}/admin/v1/tenants/acme`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Acme" }),
  });
  if (answer.status !== 201) throw new Error(`no tenant: ${answer.status}`);
});
afterAll(() => stack.disposeAsync());

function feedctl(...args: readonly string[]) {
  const command = args[0] === "listen" ? listenCommand(path) : webhooksCommand(path);
  return runHere(command, [...args, "--data", path]);
}

/** `feedctl listen` until it is disposed. */
async function listen(...args: readonly string[]) {
  const all = [...NODE_FLAGS, MAIN, "listen", ...args, "--data", path];
  const child = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const isPrinted = (text: string | RegExp) =>
    waitFor(() => printed.search(text) !== -1, { timeoutMs: 30_000 });
  await isPrinted("Listening at");
  return {
    port: /:(\d+)\//.exec(printed)?.[1] ?? "",
    printed: () => printed,
    isPrinted,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      const [code] = (await once(child, "exit")) as [number | null];
      if (code !== 0) throw new Error(`listen ended with ${code}`);
    },
  };
}

describe("feedctl webhooks and feedctl listen", () => {
  it("listen, as a tenant's webhook, prints a test delivery and says that it is signed", async () => {
    await using listener = await listen("--tenant", "acme", "--port", "0");
    const { stdout, code } = await feedctl("webhooks", "test", "acme");
    expect(stdout).toMatch(/ msg_\w+ {2}webhook\.test {2}delivered\n {2}attempt 1 .* delivered\n$/);
    expect(code).toBe(0);
    await listener.isPrinted(/ {2}signature valid\n\{\n {2}"event": "webhook.test",\n/);
    const [id = ""] = /msg_\w+/.exec(stdout) ?? [];
    const rotated = await feedctl("webhooks", "rotate-secret", "acme");
    expect(rotated.stdout).toMatch(/\nsecret .*\nsecret .* until .*\n\nwhsec_\S{44}\n/);
    expect((await feedctl("webhooks", "resend", "acme", id)).stdout).toContain("attempt 2");
    await listener.isPrinted(`${id} (again)  signature valid`.replaceAll(/[()]/g, String.raw`\$&`));
    const forged = await fetch(`http://127.0.0.1:${listener.port}/`, {
      method: "POST",
      body: "{}",
    });
    expect(forged.status).toBe(401);
    await listener.isPrinted("signature unsigned");
  });

  it("says what became of a delivery nobody takes, and lists it", async () => {
    await feedctl("webhooks", "set", "acme", "http://127.0.0.1:9/");
    const { stdout, code } = await feedctl("webhooks", "test", "acme", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      status: "pending",
      attempts: [{ error: "the connection was refused or broke off" }],
    });
    expect(code).toBe(1);
    const listed = await feedctl("webhooks", "deliveries", "acme");
    expect(listed.stdout).toMatch(/webhook\.test {2}pending, next attempt/);
  });

  it("listen leaves a webhook that goes elsewhere alone", async () => {
    const { stderr, code } = await feedctl("listen", "--tenant", "acme", "--port", "0");
    expect(stderr).toMatch(/^feedctl: the webhook of acme is http:\/\/127\.0\.0\.1:9\/; /);
    expect(code).toBe(1);
  });

  it.each([
    [["webhooks", "show", "nobody"], "feedctl: there is no tenant nobody\n"],
    [["webhooks", "set", "acme", "ftp://x/"], expect.stringContaining("feedctl: the address must")],
    [["webhooks", "resend", "acme", "msg_0"], "feedctl: there is no delivery msg_0\n"],
    [["listen"], "feedctl: --tenant or --secret is needed\n"],
    [["listen", "--secret", "x"], "feedctl: --secret is not whsec_ and base64\n"],
  ] as const)("says in a line what is wrong with %j", async (args, stderr) => {
    expect(await feedctl(...args)).toMatchObject({ stderr, code: 1 });
  });

  it("shows a webhook without its secrets, and removes it", async () => {
    const shown = await feedctl("webhooks", "show", "acme");
    expect(shown.stdout).toMatch(
      /^address {2}http:\/\/127\.0\.0\.1:9\/\nstatus {3}enabled\nsecret /,
    );
    expect(shown.stdout).not.toContain("whsec_");
    expect((await feedctl("webhooks", "remove", "acme")).stdout).toBe("acme: removed\n");
    const { stderr } = await feedctl("webhooks", "test", "acme");
    expect(stderr).toBe("feedctl: acme has no webhook; `feedctl webhooks set` gives it one\n");
  });
});
