import { expect, test } from "vitest";
import { diagnosticsName, ratesOf, showQuick, sayLive, showRate, toDiagnostics, type System } from "./system.ts";

test("rates are steps a second, and the last minute is told by itself", () => {
  const counts = [600, 0, 10, 10, 10, 10, 10, 10, 10];
  const rates = ratesOf({ everyMs: 10_000, since: 0, counts });
  expect(rates).toMatchObject({ highest: 60, total: 670, lately: 1 });
  expect(rates.perSecond.slice(0, 3)).toEqual([60, 0, 1]);
  expect(ratesOf({ everyMs: 10_000, since: 0, counts: [] })).toEqual({
    perSecond: [],
    highest: 0,
    total: 0,
    lately: 0,
  });
});

test("runs that wait for a person are not called running, and of those that nobody has looked into nothing is claimed", () => {
  const one = {
    id: 1,
    name: "publish",
    status: "running",
    startedAt: 1,
    steps: { total: 1, statuses: {}, waits: {} },
    doing: "person",
  } as const;
  const known = [one, { ...one, doing: "work" }, one, { ...one, status: "paused" }] as const;
  expect(sayLive({ running: 3, scheduled: 1, paused: 1 }, known)).toBe("2 waiting, 1 running, 1 scheduled, 1 paused");
  expect(sayLive({ running: 900, scheduled: 0, paused: 1 }, known)).toBe("900 under way, 0 scheduled, 1 paused");
  expect(sayLive({ running: 0, scheduled: 0, paused: 0 }, [])).toBe("0 running, 0 scheduled, 0 paused");
});

test("rates and short times are told as exactly as they matter", () => {
  expect([0, 0.3, 9.96, 12.4].map(showRate)).toEqual(["0 / s", "0.3 / s", "10.0 / s", "12 / s"]);
  expect([0.421, 3.14, 120.4].map(showQuick)).toEqual(["0.42 ms", "3.1 ms", "120 ms"]);
});

const system: System = {
  version: "1",
  pid: 1,
  host: "here",
  startedAt: 0,
  isOk: true,
  reasons: [],
  warnings: [],
  store: { kind: "sqlite", place: "a.db", bytes: 1, walBytes: null },
  durability: "full",
  isOwner: true,
  owner: null,
  runs: { running: 0, scheduled: 0, paused: 0 },
  ready: null,
  runningCalls: null,
  callsMax: null,
  commitMs: null,
  stepsEnded: null,
  streams: 0,
  memoryBytes: 1,
  retention: null,
};

test("diagnostics hold how everything is, and nothing that tools and programs have said", () => {
  const server = {
    key: "files",
    status: "waiting",
    problem: "Its last words: hush-hush",
    transport: "stdio",
    target: "node hush-hush",
    command: "node hush-hush",
    isAdded: true,
    protocol: null,
    latencyMs: null,
    lastWords: "hush-hush",
    name: null,
    version: null,
    toolCount: 0,
    changedCount: 0,
    restarts: 1,
    callsUnderWay: 0,
    strayLines: 0,
  } as const;
  const breaker = { tool: "files.read", state: "open", count: 3, lastError: "hush-hush", openUntil: 5 } as const;
  const told = toDiagnostics({ system, servers: [server], breakers: [breaker], at: 0, browser: "a browser" });
  expect(JSON.stringify(told)).not.toContain("hush-hush");
  expect(told).toMatchObject({
    at: "1970-01-01T00:00:00.000Z",
    browser: "a browser",
    system: { store: { place: "a.db" } },
    servers: [{ key: "files", status: "waiting", restarts: 1, hasProblem: true, hasWritten: true }],
    breakers: [{ tool: "files.read", state: "open", count: 3 }],
  });
  expect(diagnosticsName(Date.UTC(2026, 10, 18, 9, 30))).toBe("stepwell-diagnostics-2026-11-18T09-30-00.json");
});
