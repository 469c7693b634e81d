import { describe, expect, test } from "vitest";
import { StepwellError } from "../error.ts";
import { createLog, type Log, type LogOptions } from "./log.ts";

const passage = { method: "GET", route: "/api/workflow/:id", status: 200, ms: 1.234, user: "ann" };

function open(options: Partial<LogOptions> = {}): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const mask = (text: string): string => text.replaceAll("hunter22", "[secret KEY]");
  return { log: createLog({ level: "info", format: "text", now: () => 0, mask, write, ...options }), lines };
}

describe("the log", () => {
  test("has a line for each request, for people or for programs", () => {
    const text = open();
    text.log.request(passage);
    expect(text.lines).toEqual(["1970-01-01T00:00:00.000Z info  GET /api/workflow/:id 200 1.2 ms ann"]);
    const json = open({ format: "json" });
    json.log.request({ ...passage, user: null });
    expect(json.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        time: "1970-01-01T00:00:00.000Z",
        level: "info",
        msg: "request",
        method: "GET",
        route: "/api/workflow/:id",
        status: 200,
        ms: 1.2,
        user: null,
      },
    ]);
  });

  test("leaves out what is less than its level", () => {
    const statuses = (level: LogOptions["level"]): readonly string[] => {
      const { log, lines } = open({ level });
      log.request({ ...passage, route: "/health" });
      for (const status of [200, 404, 503]) log.request({ ...passage, status });
      return lines.map((line) => line.split(" ")[1] ?? "");
    };
    expect(statuses("debug")).toEqual(["debug", "info", "warn", "error"]);
    expect(statuses("warn")).toEqual(["warn", "error"]);
    expect(statuses("off")).toEqual([]);
  });

  test("tells problems on one line each, without secrets and without what steers a terminal", () => {
    const { log, lines } = open();
    log.problem(new StepwellError("STORE_LOST", "It has\n  gone with hunter22\u001B[2J"));
    log.problem("odd");
    expect(lines.map((line) => line.slice(25))).toEqual([
      "error problem: It has | gone with [secret KEY] [2J (STORE_LOST)",
      "error problem: odd (UNEXPECTED)",
    ]);
    const json = open({ format: "json" });
    json.log.problem(new Error("hunter22"));
    expect(json.lines[0]).toContain("[secret KEY]");
    expect(json.lines[0]).not.toContain("hunter22");
  });
});
