import { describe, expect, it } from "vitest";
import { createLogger } from "./logger.ts";

function linesOf(
  level: "info" | "debug",
  write: (log: ReturnType<typeof createLogger>) => void,
): string[] {
  const lines: string[] = [];
  write(
    createLogger({
      service: "api",
      level,
      destination: { write: (line) => void lines.push(line) },
    }),
  );
  return lines;
}

describe("createLogger", () => {
  it("writes one JSON object a line with service, level, time and message", () => {
    const [line] = linesOf("info", (log) => log.info({ offset: 4 }, "caught up"));
    const entry = JSON.parse(line ?? "");
    expect(entry).toMatchObject({ service: "api", level: "info", offset: 4, msg: "caught up" });
    expect(Date.parse(entry.time)).toBeGreaterThan(0);
  });

  it("leaves out what lies below its level", () => {
    expect(linesOf("info", (log) => log.debug("detail"))).toEqual([]);
  });

  it("never writes personal fields or secrets", () => {
    const personal = { user_id: "alice", session_id: "s-alice", properties: { language: "alice" } };
    const lines = linesOf("info", (log) => {
      log.info({ ...personal, event: personal, authorization: "Bearer alice" }, "accepted");
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain("alice");
  });
});
