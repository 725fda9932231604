import { mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default mergeConfig(
  { ...base, test: { ...base.test, include: undefined, exclude: undefined } },
  {
    test: {
      include: ["tests/**/*.browser.test.ts"],
      exclude: ["**/node_modules/**"],
      // Each file starts a service of its own: one after the other they start in the time they are given.
      fileParallelism: false,
      testTimeout: 180_000,
      hookTimeout: 900_000,
      expect: { poll: { timeout: 60_000 } },
    },
  },
);
