import { defineConfig } from "vitest/config";

const resultsFile = process.env["RESULTS_FILE"];

export default defineConfig({
  test: {
    include: ["{packages,apps,tests,bench}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.engine.test.ts", "**/*.browser.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters:
      resultsFile === undefined ? ["default"] : ["default", ["json", { outputFile: resultsFile }]],
  },
});
