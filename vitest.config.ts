import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{packages,apps,tests,bench}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.engine.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
