import { mergeConfig } from "vitest/config";
import base from "./vitest.config.ts";

export default mergeConfig(
  { ...base, test: { ...base.test, include: undefined, exclude: undefined } },
  {
    test: {
      include: ["tests/**/*.browser.test.ts"],
      exclude: ["**/node_modules/**"],
      testTimeout: 90_000,
      hookTimeout: 90_000,
      expect: { poll: { timeout: 15_000 } },
    },
  },
);
