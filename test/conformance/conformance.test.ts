// The official suites against our server: what they ask of tasks, headers, discovery and foreign names holds, and of the
// rest just what is said to be missing is.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type Service } from "./service.ts";
import { runSuite } from "./suite.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service[Symbol.asyncDispose]());

describe.concurrent("the official suite", () => {
  test("of 2026-07-28 passes: 44 of 44 task checks, headers, discovery, foreign names", async () => {
    const { exitCode, scenarios, output } = await runSuite("2026-07-28", service.url);
    expect(exitCode === 0 ? "as expected" : output).toBe("as expected");
    const tasks = [...scenarios].filter(([name]) => name.startsWith("tasks-")).map(([, counts]) => counts);
    expect(tasks.reduce((sum, { passed }) => sum + passed, 0)).toBe(44);
    expect(tasks.every(({ failed }) => failed === 0)).toBe(true);
    expect(scenarios.get("http-header-validation")).toEqual({ passed: 14, failed: 0 });
    expect(scenarios.get("dns-rebinding-protection")).toEqual({ passed: 2, failed: 0 });
  });

  test("of 2025-11-25 passes but for what is listed", async () => {
    const { exitCode, scenarios, output } = await runSuite("2025-11-25", service.url);
    expect(exitCode === 0 ? "as expected" : output).toBe("as expected");
    expect(scenarios.get("dns-rebinding-protection")).toEqual({ passed: 2, failed: 0 });
    expect(scenarios.get("server-initialize")).toEqual({ passed: 1, failed: 0 });
  });
});
