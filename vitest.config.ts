import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const resultsFile = process.env["RESULTS_FILE"];

export default defineConfig({
  test: {
    include: ["{packages,apps,infra,tests,bench}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.engines.test.ts", "**/*.browser.test.ts"],
    setupFiles: ["tests/property-seed.ts"],
    // No module keeps anything between files: loading them anew for each of 160 files costs more than most of them do.
    isolate: false,
    // Tests wait for disks, timers and processes: with the default of one core less, two cores are half idle.
    maxWorkers: "100%",
    // The processes that tests start find their modules compiled: a service starts with a fifth less work.
    env: {
      NODE_COMPILE_CACHE: resolve("node_modules/.cache/compiled"),
      // No such file: profiles of whoever runs the tests are no part of them.
      FEEDCTL_CONFIG: resolve("node_modules/.cache/no-profiles.json"),
    },
    // Beyond the limit of what is waited for (`waitFor`), so that what is missing is named.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    reporters:
      resultsFile === undefined ? ["default"] : ["default", ["json", { outputFile: resultsFile }]],
  },
});
