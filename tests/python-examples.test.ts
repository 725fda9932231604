import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { freePort } from "@feed/test-kit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusesUnsigned } from "../packages/client/src/testing/receiver.fixture.ts";
import { openService, type Service } from "../packages/client/src/testing/service.fixture.ts";

const FOLDER = resolve(import.meta.dirname, "../docs/examples/python");
const PYTHON = "python3";
const hasRequests = spawnSync(PYTHON, ["-c", "import requests"]).status === 0;
if (!hasRequests) process.stdout.write("No python3 with requests: its examples are left out.\n");

let service: Service;
const environment = () => ({
  PATH: process.env["PATH"],
  CONTENT_FEED_URL: service.baseUrl,
  CONTENT_FEED_KEY: service.apiKey,
  PYTHONIOENCODING: "utf-8",
});

/** Lines that an example prints; it has to end well. */
function linesOf(name: string, ...args: readonly string[]): Promise<readonly string[]> {
  return new Promise((done, fail) => {
    const call = [join(FOLDER, name), ...args];
    execFile(PYTHON, call, { env: environment() }, (error, output, said) => {
      if (error === null) done(output.trimEnd().split("\n"));
      else fail(new Error(`${name}: ${output}${said}`));
    });
  });
}

describe.skipIf(!hasRequests)("The examples in Python", () => {
  beforeAll(async () => {
    service = await openService();
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  it("feed.py walks along three pages", async () => {
    const lines = await linesOf("feed.py", "reader-1");
    expect(lines).toHaveLength(33);
    expect(lines[0]).toMatch(/^0\.\d\d Article \d+ about subject \d \(source-\d\)$/);
    expect(lines.at(-1)).toBe("page 3 cost 1.0");
    expect(new Set(lines).size).toBe(33);
  });

  it("content.py shows an article with its body and attribution", async () => {
    expect(await linesOf("content.py", "article-7")).toEqual([
      "Article 7 about subject 0",
      "The start of the body.",
      "",
      "source-2, https://publisher.example/, https://publisher.example/article-7",
    ]);
    await expect(linesOf("content.py", "nothing")).rejects.toThrow("There is no such article");
  });

  it("events.py clicks, and does not see the article again", async () => {
    const before = await service.userFacts();
    expect(await linesOf("events.py", "reader-2")).toEqual(["accepted: 1", "shown again: False"]);
    expect((await service.userFacts()) - before).toBe(1);
  });

  it("users.py makes, changes and deletes a user", async () => {
    const lines = await linesOf("users.py", "app|reader+3@x");
    expect(lines.slice(0, 3)).toEqual([
      "created",
      "{'area_names': ['渋谷'], 'language': 'ja', 'interests': ['サッカー']} ['source-1'] ['source-2']",
      "gone: True",
    ]);
  });

  it("push.py reads the rows of a job", async () => {
    const lines = await linesOf("push.py", "daily");
    expect(lines).toContainEqual(expect.stringMatching(/^reader-2 Article .* https:.*medium=push/));
    expect(lines.at(-1)).toMatch(/^True \d/);
  });

  it("directory.py lists sources, areas and usage", async () => {
    const lines = await linesOf("directory.py");
    expect(lines[0]).toBe("source-1 source-1 body");
    expect(lines.some((line) => line.includes("渋谷"))).toBe(true);
    expect(lines.at(-1)).toMatch(/^20\d\d-\d\d [\d.]+ of 10000\.?0? until 20/);
  });

  it("webhook.py takes what the service signed, and nothing else", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const secret = await service.saveWebhook(url);
    const receiver = spawn(PYTHON, [join(FOLDER, "webhook.py"), `${port}`], {
      env: { ...environment(), CONTENT_FEED_WEBHOOK_SECRET: secret },
    });
    const ended = once(receiver, "close");
    await using stack = new AsyncDisposableStack();
    stack.defer(async () => {
      receiver.kill("SIGTERM");
      await ended;
    });
    let output = "";
    receiver.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    await refusesUnsigned(url);
    await service.testWebhook();
    await expect.poll(() => output).toMatch(/^msg_\w+ webhook\.test$/m);
  });

  it("are all of them tried here", () => {
    const tried = ["content", "directory", "events", "feed", "push", "users", "webhook"];
    expect(readdirSync(FOLDER).sort()).toEqual(tried.map((name) => `${name}.py`));
  });
});
