import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WebhookDeliveryState } from "@feed/domain/webhook";
import { temporaryDirectory, waitFor } from "@feed/test-kit";
import { startFeedctl, startService, type ServiceProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenCommand } from "./listen.ts";
import { runHere } from "./run-here.fixture.ts";
import { webhooksCommand } from "./webhooks.ts";

/**
 * Goal: the commands as an operator types them. Method: a running service, `listen` as a process beside it, the other
 * commands in this one.
 */
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

/** `feedctl webhooks …` that has an attempt made: again where the service did not come to it in the command's time. */
async function attempted(...args: readonly string[]) {
  for (;;) {
    const outcome = await feedctl("webhooks", ...args);
    if (!outcome.stderr.includes("waits to be sent")) return outcome;
  }
}

/** `feedctl listen` until it is disposed. */
async function listen(...args: readonly string[]) {
  const listener = await startFeedctl(["listen", ...args, "--data", path], {});
  return {
    url: listener.listening,
    isPrinted: (text: string | RegExp) => waitFor(() => listener.stdout().search(text) !== -1),
    async [Symbol.asyncDispose]() {
      const { code, stderr } = await listener.stop("SIGTERM");
      if (code !== 0) throw new Error(`listen ended with ${code}: ${stderr}`);
    },
  };
}

describe("feedctl webhooks and feedctl listen", () => {
  it("listen, as a tenant's webhook, prints a test delivery and says that it is signed", async () => {
    await using listener = await listen("--tenant", "acme", "--port", "0");
    const { stdout, code } = await attempted("test", "acme");
    expect(stdout).toMatch(/ msg_\w+ {2}webhook\.test {2}delivered\n {2}attempt 1 .* delivered\n$/);
    expect(code).toBe(0);
    await listener.isPrinted(/ {2}signature valid\n\{\n {2}"event": "webhook.test",\n/);
    const [id = ""] = /msg_\w+/.exec(stdout) ?? [];
    const rotated = await feedctl("webhooks", "rotate-secret", "acme");
    expect(rotated.stdout).toMatch(/\nsecret .*\nsecret .* until .*\n\nwhsec_\S{44}\n/);
    expect((await attempted("resend", "acme", id)).stdout).toContain("attempt 2");
    await listener.isPrinted(`${id} (again)  signature valid`.replaceAll(/[()]/g, String.raw`\$&`));
    const forged = await fetch(listener.url, { method: "POST", body: "{}" });
    expect(forged.status).toBe(401);
    await listener.isPrinted("signature unsigned");
  });

  it("says what became of a delivery nobody takes, and lists it", async () => {
    await feedctl("webhooks", "set", "acme", "http://127.0.0.1:9/");
    const { stdout, code } = await attempted("test", "acme", "--json");
    const { status, attempts } = JSON.parse(stdout) as WebhookDeliveryState;
    expect(status).toBe("pending");
    // The next attempt comes seconds later, and the command may look after that one.
    expect(new Set(attempts.map(({ error }) => error))).toEqual(
      new Set(["the connection was refused or broke off"]),
    );
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
