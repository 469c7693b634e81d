import { expect, test } from "vitest";
import {
  callersOf,
  filterTools,
  isServerGone,
  markOf,
  sayCallers,
  sayAdded,
  sayFacts,
  sayProgramsFolder,
  sayServer,
  serverOfTool,
  showBreaker,
  showServer,
  toStepText,
  withoutFrames,
  type ToolServer,
} from "./tool.ts";

const tool = { description: null, effect: "read", input: null, output: null, outcomes: [], server: null };

test("tools are found by words of their name and description, in any order", () => {
  const tools = [
    { ...tool, name: "demo.echo", description: "Answers with its text" },
    { ...tool, name: "log" },
  ];
  expect(filterTools(tools, "TEXT demo").map(({ name }) => name)).toEqual(["demo.echo"]);
  expect(filterTools(tools, " ")).toHaveLength(2);
});

test("a server that cannot be reached is said to be so", () => {
  expect(showServer({ status: "waiting", problem: "No such file." })).toEqual({
    token: "failed",
    word: "not connected",
  });
  expect(showServer({ status: "ready", problem: null }).word).toBe("connected");
  expect(showServer({ status: "idle", problem: null }).word).toBe("not started");
  expect(showServer({ status: "idle", problem: "Its program was ended by SIGKILL." })).toEqual({
    token: "failed",
    word: "ended",
  });
  const states = ["closed", "open", "half_open"] as const;
  expect(states.map((state) => showBreaker({ state }).word)).toEqual(["closed", "open", "half-open"]);
});

test("a step is named after its tool", () => {
  expect(toStepText("files.read-file", { path: "a" })).toBe(
    'read_file:\n  tool: files.read-file\n  args: {"path":"a"}\n',
  );
});

const server = (key: string): ToolServer => ({
  key,
  status: "idle",
  problem: null,
  transport: "stdio",
  target: "",
  command: null,
  isAdded: false,
  protocol: null,
  latencyMs: null,
  lastWords: null,
  name: null,
  version: null,
  toolCount: 0,
  changedCount: 0,
  restarts: 0,
  callsUnderWay: 0,
  strayLines: 0,
});

test("the server of a tool is the one that brings it; of a tool that is not there, the one it is named after", () => {
  const servers = [server("a"), server("b")];
  expect(serverOfTool("a.read", [{ name: "a.read", server: "b" }], servers)?.key).toBe("b");
  expect(serverOfTool("a.read", [], servers)?.key).toBe("a");
  expect(serverOfTool("log", [{ name: "log", server: null }], servers)).toBeNull();
});

test("a call that found no server is told from one that the server itself has refused", () => {
  expect(isServerGone("tool_server_exited")).toBe(true);
  expect(isServerGone("tool_server_unavailable")).toBe(true);
  expect(isServerGone("protocol_error")).toBe(false);
});

test("what becomes of the next call is told by how the server is now", () => {
  expect(sayServer({ status: "ready" })).toBe("It is connected again: the next call goes to it.");
  expect(sayServer({ status: "idle" })).toBe("It is started again by the next call.");
  expect(sayServer({ status: "refused" })).toBe("It was refused. Mend what its card under Tools says, then reconnect.");
});

test("who has called a server's tools is told before it is taken away", () => {
  const used = (...workflows: string[]) => ({ total: 1, failed: 0, workflows });
  const figures = new Map([
    ["files.read", used("nightly", "digest")],
    ["files.write", used("digest")],
    ["docs.find", used("other")],
  ]);
  const tools = [
    { name: "files.read", server: "files" },
    { name: "files.write", server: "files" },
    { name: "docs.find", server: "docs" },
    { name: "files.never", server: "files" },
  ];
  expect(callersOf("files", tools, figures)).toEqual(["digest", "nightly"]);
  expect(sayCallers([])).toBe("No saved workflow has called its tools.");
  expect(sayCallers(["digest"])).toBe("The saved workflow digest has called its tools; from now on that fails.");
  expect(sayCallers(["a", "b", "c", "d", "e", "f", "g"])).toBe(
    "7 saved workflows have called its tools: a, b, c, d, e, and 2 more. From now on that fails.",
  );
});

test("a card says what a server is, which protocol it speaks, what it brings and how fast it answers", () => {
  expect(sayFacts(server("a"))).toEqual(["Program", "0 tools"]);
  const known = { name: "files", version: "1.2", protocol: "2025-11-25", latencyMs: 0.3, toolCount: 1 };
  const busy = { callsUnderWay: 2, restarts: 1, strayLines: 3 };
  expect(
    sayFacts({
      ...server("a"),
      status: "ready",
      transport: "http",
      ...known,
      ...busy,
    }),
  ).toEqual([
    "Address",
    "files 1.2",
    "MCP 2025-11-25",
    "1 tool",
    "answers in 1 ms",
    "2 under way",
    "1 restart",
    "3 stray lines",
  ]);
});

test("a server whose program has ended does not answer in any time, and the next call starts it again", () => {
  const ended = {
    ...server("a"),
    problem: "Its program was ended by SIGKILL.",
    latencyMs: 7,
    toolCount: 14,
  };
  expect(sayFacts(ended)).toEqual(["Program", "14 tools", "the next call starts it again"]);
  expect(sayFacts({ ...ended, status: "waiting" })).toEqual(["Program", "14 tools"]);
});

test("a server that was added and does not start is said to be so", () => {
  expect(sayAdded("files", { toolCount: 1, problem: null })).toBe("files is added, with 1 tool.");
  expect(sayAdded("files", { toolCount: 0, problem: "No such file." })).toBe(
    "files is added; it does not start: No such file.",
  );
});

test.each([
  [{ kind: "sqlite", place: "/data/.stepwell/stepwell.db" }, "/data"],
  [{ kind: "sqlite", place: "/data/own.db" }, "/data"],
  [{ kind: "sqlite", place: ".stepwell/stepwell.db" }, "the folder in which the engine was started"],
  [{ kind: "sqlite", place: "data/own.db" }, "data, below the folder in which the engine was started"],
  [{ kind: "postgres", place: "postgres://db/own" }, "the folder in which the engine was started"],
  [undefined, "the folder in which the engine was started"],
])("with the store %j programs run in %s", (store, folder) => {
  expect(sayProgramsFolder(store)).toBe(folder);
});

test("tools may be others when a server comes, goes, ends or brings more, and not when one is called", () => {
  const one = server("a");
  for (const others of [[], [one, server("b")], [{ ...one, status: "ready" }], [{ ...one, toolCount: 1 }]] as const)
    expect(markOf(others)).not.toBe(markOf([one]));
  expect(markOf([{ ...one, callsUnderWay: 3, latencyMs: 4, lastWords: "called" }])).toBe(markOf([one]));
});

test("why a program has ended is told without where in it that was", () => {
  const words = "Its last words: throw err; ^ Error: Cannot find module '/srv/a.js'";
  const frames =
    " at Module._load (node:internal/loader:1341:5) at async Object.<anonymous> (/srv/a.js:1:7) at /b.js:2:3";
  expect(withoutFrames(`${words}${frames} { code: 'GONE' }`)).toBe(`${words} { code: 'GONE' }`);
  expect(withoutFrames("It waits at the door (until 10:20:30).")).toBe("It waits at the door (until 10:20:30).");
});
