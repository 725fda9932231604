import { describe, expect, it } from "vitest";
import type { ClientOptions } from "./client.ts";
import { PushJobFailedError } from "./errors.ts";
import type { PushJob } from "./openapi.generated.ts";
import { hastyClient, openAnswering, problem, type Script } from "./testing/answering.fixture.ts";

const row = (index: number) => JSON.stringify({ user_id: `読者-${index}`, candidates: [] });
const rows = (count: number) => Array.from({ length: count }, (_, index) => `${row(index)}\n`);

function job(parts: Partial<PushJob>): Partial<PushJob> {
  return { job_id: "j", status: "processing", progress: 10, error: null, ...parts };
}

describe("waitForCompletion", () => {
  it("looks every second at first, later every ten, and tells of the progress", async () => {
    await using server = await openAnswering((_, index) => ({
      json: job(index < 8 ? { progress: index } : { status: "completed", target_user_count: 3 }),
    }));
    const { client, waits } = hastyClient(server);
    const seen: number[] = [];
    const done = await client.push.waitForCompletion("j", {
      onProgress: ({ progress }) => seen.push(progress),
    });
    expect(done).toMatchObject({ status: "completed", target_user_count: 3 });
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 10]);
    expect(waits[0]).toBe(1_000);
    expect(waits[1]).toBe(1_500);
    expect(waits.at(-1)).toBe(10_000);
  });

  it("throws what a failed job failed with", async () => {
    const error = { code: "cancelled", message: "It was cancelled." };
    await using server = await openAnswering(() => ({ json: job({ status: "failed", error }) }));
    const waiting = hastyClient(server).client.push.waitForCompletion("j");
    await expect(waiting).rejects.toThrow(new PushJobFailedError("j", error));
    await expect(waiting).rejects.toMatchObject({ jobId: "j", code: "cancelled" });
  });

  it("goes on when the service is away for a while, but not for ever", async () => {
    const away = { status: 503, json: problem("unavailable", 503) };
    await using server = await openAnswering((_, index) =>
      index < 5 ? away : { json: job({ status: "completed" }) },
    );
    const { client } = hastyClient({ ...server, retriesMax: 0 });
    expect(await client.push.waitForCompletion("j")).toMatchObject({ status: "completed" });
    await using shaky = await openAnswering((_, index) => {
      if (index === 40) return { json: job({ status: "completed" }) };
      return index % 8 === 0 ? { json: job({}) } : away;
    });
    const often = hastyClient({ ...shaky, retriesMax: 0 });
    expect(await often.client.push.waitForCompletion("j")).toMatchObject({ status: "completed" });
    await using gone = await openAnswering(() => away);
    const patient = hastyClient({ ...gone, retriesMax: 0 });
    await expect(patient.client.push.waitForCompletion("j")).rejects.toMatchObject({ status: 503 });
    expect(gone.asked).toHaveLength(11);
  });

  it("ends with its signal", async () => {
    await using server = await openAnswering(() => ({ json: job({}) }));
    const signal = AbortSignal.abort(new Error("too late"));
    const waiting = hastyClient(server).client.push.waitForCompletion("j", { signal });
    await expect(waiting).rejects.toThrow("too late");
  });
});

describe("rows", () => {
  /** A job of three users, whose file is what `file` answers. */
  async function open(
    file: Script,
    parts: Partial<PushJob> = {},
    options: Partial<ClientOptions> = {},
  ) {
    let downloads = 0;
    const server = await openAnswering((asked) => {
      if (asked.path.startsWith("/file")) return file(asked, downloads++);
      const download_url = `${server.baseUrl}/file?signature=s`;
      const ended = { status: "completed", target_user_count: 3, download_url } as const;
      return { json: job({ ...ended, ...parts }) };
    });
    const { client } = hastyClient({ ...server, ...options });
    const read = async () => {
      const read: string[] = [];
      for await (const { user_id } of client.push.rows("j")) read.push(user_id);
      return read;
    };
    return { ...server, client, read };
  }
  const whole = rows(3).join("");
  const all = ["読者-0", "読者-1", "読者-2"];

  it("come one by one, without the key being sent", async () => {
    await using opened = await open(() => ({ text: whole }));
    expect(await opened.read()).toEqual(all);
    expect(opened.asked.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer cf_live_test",
      undefined,
    ]);
  });

  it("are whole however the bytes are cut", async () => {
    await using opened = await open(() => (response) => {
      response.writeHead(200);
      const bytes = [...Buffer.from(whole)];
      const next = () => {
        const byte = bytes.shift();
        if (byte === undefined) response.end();
        else response.write(Buffer.of(byte), () => setImmediate(next));
      };
      next();
    });
    expect(await opened.read()).toEqual(all);
  });

  it.each<[string, ReturnType<Script>]>([
    [
      "breaks",
      (response) => {
        response.writeHead(200, { "content-length": "999" });
        response.write(rows(2).join(""), () => setImmediate(() => response.destroy()));
      },
    ],
    ["ends within a row", { text: whole.slice(0, -5) }],
    ["ends before the last row", { text: rows(2).join("") }],
    ["is refused for a moment", { status: 503, text: "away" }],
  ])("go on, none twice and none left out, where the download %s", async (_, failure) => {
    await using opened = await open((_, index) => (index === 0 ? failure : { text: whole }));
    expect(await opened.read()).toEqual(all);
    expect(opened.asked.map(({ path }) => path.split("?")[0])).toEqual([
      "/v1/push-candidates/j",
      "/file",
      "/v1/push-candidates/j",
      "/file",
    ]);
  });

  it("go on, none twice and none left out, where the download stands still", async () => {
    const downloads: string[] = [];
    const standsStill: ReturnType<Script> = (response) => {
      response.writeHead(200);
      response.write(rows(2).join(""));
    };
    const script: Script = ({ path }, index) => {
      downloads.push(path);
      return index === 0 ? standsStill : { text: whole };
    };
    await using opened = await open(script, {}, { timeoutMs: 1_000 });
    expect(await opened.read()).toEqual(all);
    // One more for each that this machine did not answer in time.
    expect(downloads.length).toBeGreaterThan(1);
  });

  it("are an error where the file is short for good", async () => {
    await using opened = await open(() => ({ text: rows(2).join("") }));
    await expect(opened.read()).rejects.toThrow("ended after 2 of 3 rows");
  });

  it.each([
    ["still runs", { status: "processing" }, "is processing: there are no rows"],
    ["is a week old", { download_url: null }, "is no longer kept"],
  ] as const)("are an error where the job %s", async (_, parts, message) => {
    await using opened = await open(() => ({ text: whole }), parts);
    await expect(opened.read()).rejects.toThrow(message);
  });

  it("are none for a job without users", async () => {
    await using opened = await open(() => ({ text: "" }), { target_user_count: 0 });
    expect(await opened.read()).toEqual([]);
  });

  it("are an error where one is no JSON, or has no end", async () => {
    await using broken = await open(() => ({ text: "{}\n{\n" }));
    await expect(broken.read()).rejects.toThrow("row 2 of the result is no JSON");
    await using endless = await open(() => ({ text: "x".repeat(2 * 1024 * 1024) }));
    await expect(endless.read()).rejects.toThrow("too long");
  });

  it("are not downloaded further when the reader stops", async () => {
    const closed = Promise.withResolvers<void>();
    await using opened = await open(() => (response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200);
      response.write(whole);
    });
    for await (const { user_id } of opened.client.push.rows("j")) {
      expect(user_id).toBe("読者-0");
      break;
    }
    await closed.promise;
  });
});
