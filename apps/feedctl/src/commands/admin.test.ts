import { PassThrough } from "node:stream";
import { temporaryDirectory } from "@feed/test-kit";
import { startService, type ServiceProcess } from "@feed/test-kit/service-process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { adminCommand } from "./admin.ts";
import { runHere } from "./run-here.fixture.ts";

/** Goal: who is added by a command signs in at the service that runs meanwhile. */
const stack = new AsyncDisposableStack();
let path: string;
let service: ServiceProcess;
beforeAll(async () => {
  ({ path } = stack.use(await temporaryDirectory()));
  service = stack.use(await startService({ dataDirectory: path }));
});
afterAll(() => stack.disposeAsync());

const feedctl = (...args: readonly string[]) =>
  runHere(adminCommand(path, 8080), ["admin", ...args, "--data", path]);

async function post(resource: string, body: object): Promise<readonly [number, unknown]> {
  const answer = await fetch(`${service.baseUrl}/admin/v1/${resource}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return [answer.status, await answer.json()];
}

/** Runs a command with text on its standard input. */
async function withInput<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
  const stdin = Object.assign(new PassThrough(), { isTTY: false });
  stdin.end(text);
  const spy = vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as never);
  try {
    return await run();
  } finally {
    spy.mockRestore();
  }
}

describe("feedctl admin", () => {
  it("makes the first operator with a password that is shown once", async () => {
    const create = () => feedctl("create", "--email", "ops@example.com", "--json");
    const { stdout } = await withInput("", create);
    const { email, password } = JSON.parse(stdout) as { email: string; password: string };
    const [status, me] = await post("session", { email, password });
    expect([status, me]).toMatchObject([200, { data: { role: "operator", email } }]);
    expect(await withInput("", create)).toMatchObject({ code: 1, stdout: "" });
  });

  it("takes a password from standard input, and none that is too short", async () => {
    const create = (email: string) => feedctl("create", "--email", email, "--password-stdin");
    const password = "correct horse battery";
    const added = await withInput(`${password}\n`, () => create("given@example.com"));
    expect(added.stdout).toBe("given@example.com can sign in as operator.\n");
    expect((await post("session", { email: "given@example.com", password }))[0]).toBe(200);
    const short = await withInput("short\n", () => create("short@example.com"));
    expect([short.code, short.stderr]).toEqual([1, expect.stringContaining("12 to 256")]);
  });

  it("lets somebody in again by a link that works once", async () => {
    const link = await feedctl("link", "--email", "OPS@example.com", "--address", service.baseUrl);
    const [url = ""] = link.stdout.split("\n");
    expect(url).toContain(`${service.baseUrl}/console/#/sign-in/`);
    const token = url.split("/").at(-1);
    expect((await post("session/link", { token }))[0]).toBe(200);
    expect((await post("session/link", { token }))[0]).toBe(401);
    expect(await feedctl("link", "--email", "nobody@example.com")).toMatchObject({ code: 1 });
  });

  it("lists who signs in, and refuses people of no tenant", async () => {
    const { stdout } = await feedctl("list");
    expect(stdout).toContain("ops@example.com  operator  -  active");
    const editor = ["create", "--email", "e@example.com", "--role", "editor"];
    expect(await withInput("", () => feedctl(...editor))).toMatchObject({ code: 1 });
    const nowhere = [...editor, "--tenant", "nowhere"];
    expect((await withInput("", () => feedctl(...nowhere))).stderr).toContain("no tenant nowhere");
  });
});
