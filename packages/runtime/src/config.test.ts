import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const spec = {
  port: {
    kind: "integer",
    variable: "FEED_PORT",
    doc: "TCP port",
    fallback: 8080,
    min: 0,
    max: 65_535,
  },
  logLevel: {
    kind: "text",
    variable: "FEED_LOG_LEVEL",
    doc: "log level",
    oneOf: ["info", "debug"],
  },
  demo: { kind: "flag", variable: "FEED_DEMO", doc: "demo data", fallback: false },
} as const;

function violationsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(spec, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.violations;
    throw error;
  }
  return [];
}

describe("readConfig", () => {
  it("reads what is set and takes the fallback of what is not", () => {
    const config = readConfig(spec, { FEED_PORT: "9000", FEED_LOG_LEVEL: "debug" });
    const level: "info" | "debug" = config.logLevel;
    expect({ ...config, level }).toEqual({
      port: 9000,
      logLevel: "debug",
      demo: false,
      level: "debug",
    });
  });

  it("counts an empty variable as not set", () => {
    expect(violationsOf({ FEED_LOG_LEVEL: "" })).toEqual(["FEED_LOG_LEVEL is not set (log level)"]);
  });

  it("reports every violation in one line each, without the value", () => {
    expect(violationsOf({ FEED_PORT: "80a", FEED_LOG_LEVEL: "loud", FEED_DEMO: "1" })).toEqual([
      "FEED_PORT must be an integer from 0 to 65535 (TCP port)",
      "FEED_LOG_LEVEL must be one of info, debug (log level)",
      "FEED_DEMO must be true or false (demo data)",
    ]);
  });

  it.each(["65536", "-1", "1.5", "1e3", " 1", "0x10"])("refuses %j as a port", (text) => {
    expect(violationsOf({ FEED_PORT: text, FEED_LOG_LEVEL: "info" })).toHaveLength(1);
  });
});
