import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { defineConfig } from "vitest/config";

const resultsFile = process.env["RESULTS_FILE"];
/** Where `make engines` says what it started. */
const addresses = ".engines/env";
const started = existsSync(addresses) ? parseEnv(readFileSync(addresses, "utf8")) : {};

/** Tests that need the real engines; one that can't be reached fails them. */
export default defineConfig({
  test: {
    include: ["{packages,apps,infra,tests,bench}/**/*.engines.test.ts"],
    exclude: ["**/node_modules/**"],
    // What the caller sets goes before what was started here. Whoever runs the tests may have profiles: there is no such file.
    env: {
      FEEDCTL_CONFIG: resolve("node_modules/.cache/no-profiles.json"),
      ...started,
      ...process.env,
    },
    // One set of engines on one machine: two files at once would wait for each other.
    fileParallelism: false,
    // What comes by itself (a rebalance, a compaction) takes minutes where the machine is busy.
    testTimeout: 400_000,
    expect: { poll: { timeout: 30_000 } },
    // Hundreds of topics are removed after a file.
    hookTimeout: 600_000,
    reporters:
      resultsFile === undefined ? ["default"] : ["default", ["json", { outputFile: resultsFile }]],
  },
});
