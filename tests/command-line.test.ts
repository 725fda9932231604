import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { temporaryDirectory } from "@feed/test-kit";
import { expect, it } from "vitest";
import { snippetsOf } from "./snippets.ts";

const ROOT = resolve(import.meta.dirname, "..");
const PAGE = "operating/command-line.md";

it("docs/operating/command-line.md: its commands work in one shell, with its config file", async () => {
  await using directory = await temporaryDirectory();
  const [file = ""] = await snippetsOf(PAGE, "json");
  const config = join(directory.path, "config.json");
  await writeFile(config, file);
  const script = [...(await snippetsOf(PAGE, "sh")), "complete -p feedctl"].join("\n");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: directory.path, FEEDCTL_CONFIG: config };
  const output = execFileSync("bash", ["--norc", "-e", "-c", script], {
    cwd: ROOT,
    env,
    encoding: "utf8",
  });
  expect(output).toContain("Usage: feedctl [options] [command]");
  expect(output).toMatch(/^EVENT_LOG +kafka:\/\/kafka-1:9092,kafka-2:9092\/feed$/m);
  expect(output).toMatch(/^READ_STATE +redis:\/\/redis-1:6379$/m);
  expect(output).toMatch(/^complete .*-F _feedctl feedctl$/m);
});
