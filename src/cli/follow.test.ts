import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { startKernel, type Kernel, type KernelOptions } from "../testing/kernel.ts";
import { drawChanges, drawRun } from "./follow.ts";
import type { FollowedRun } from "./followed-run.ts";
import type { Look } from "./terminal.ts";

const look: Look = { isLive: false, isUnicode: true, isColour: false, columns: 100 };

function start(flow: Json, options: KernelOptions = {}): Kernel {
  const kernel = startKernel(flow, options);
  kernel.admitAll();
  return kernel;
}

function followed(kernel: Kernel): FollowedRun {
  return { run: kernel.run(), rows: [...kernel.history.values()], plan: kernel.plan };
}

/** Below the heading. */
function steps(kernel: Kernel, wishes: Partial<Look> = {}): readonly string[] {
  return drawRun(followed(kernel), { now: kernel.now() }, { ...look, ...wishes }).slice(1);
}

const chain = {
  start: { tool: "web.fetch", next: "sum" },
  sum: { tool: "text.sum", retry: { attempts: 3, backoff: ["4s", "8s"], jitter: 0 }, next: "tell" },
  tell: { tool: "log", done: true },
};

describe("the step tree", () => {
  test("shows what is done, what runs, and what comes next for certain", () => {
    const kernel = start(chain);
    kernel.advance(1240);
    kernel.finish("start");
    kernel.admitAll();
    kernel.advance(840);
    expect(steps(kernel)).toEqual([
      "  ✔ start  web.fetch  1.24 s", //
      "  ● sum    text.sum   840 ms",
      "  · tell   log",
    ]);
  });

  test("shows the back-off of a failed try, counts it down, and then the next try", () => {
    const kernel = start(chain);
    kernel.finish("start");
    kernel.admitAll();
    kernel.fail("sum", { code: "http_503", message: "upstream" });
    expect(steps(kernel)[1]).toBe("  ↻ sum    text.sum   try 2 of 3 in 4 s, upstream (http_503)");
    kernel.advance(2500);
    expect(steps(kernel)[1]).toBe("  ↻ sum    text.sum   try 2 of 3 in 2 s, upstream (http_503)");
    kernel.advance(1500);
    kernel.admitAll();
    expect(steps(kernel)[1]).toBe("  ● sum    text.sum   try 2 of 3");
    kernel.advance(1000);
    kernel.fail("sum", { code: "http_404", message: "gone" }, "final");
    expect(drawRun(followed(kernel), { now: kernel.now() }, look)).toEqual([
      "✘ flow  1  failed  5 s  gone (http_404)",
      "  ✔ start  web.fetch  0 ms",
      "  ✘ sum    text.sum   try 2, gone (http_404)",
    ]);
  });

  test("shows how far a call says that it is", () => {
    const kernel = start(chain);
    const { id } = kernel.row("start");
    const shown = { ...followed(kernel), progress: new Map([[id, { fraction: 0.405, message: "reading" }]]) };
    expect(drawRun(shown, { now: kernel.now() }, look)[1]).toBe("  ● start  web.fetch  40 %, reading");
  });

  test("shows branches below the step that forks, and the join after them", () => {
    const kernel = start({
      start: { set: { a: 1 }, parallel: ["left", "right"], join: "meet" },
      left: { tool: "l", next: "left_more" },
      left_more: { tool: "l2" },
      right: { tool: "r" },
      meet: { tool: "m", done: true },
    });
    kernel.finish("left");
    kernel.admitAll();
    expect(steps(kernel).map((line) => line.replace(/ +\d+ ms$/, ""))).toEqual([
      "  ✔ start        set a",
      "    ✔ left       l",
      "    ● left_more  l2",
      "    ● right      r",
      "  · meet         m",
    ]);
    kernel.finish("left_more");
    kernel.finish("right");
    kernel.admitAll();
    expect(steps(kernel).at(-1)).toMatch(/^ {2}● meet /);
  });

  test("counts the items of an each", () => {
    const kernel = start({
      start: { tool: "rate", args: { of: "{{ item }}" }, each: { items: [1, 2, 3], concurrency: 3 }, done: true },
    });
    const first = kernel.rows("start").find(({ role }) => role === "item");
    kernel.send({ kind: "done", row: first?.id ?? 0, token: first?.token ?? "", result: 1, outcome: null });
    expect(steps(kernel)).toEqual(["  ● start  rate  1 of 3 items"]);
  });

  test("shows gates, waits and outcomes in words", () => {
    const kernel = start({
      start: { gate: { title: "Publish?" }, routes: { approved: "nap", rejected: "end" } },
      nap: { wait: "90s", next: "hear" },
      hear: { wait: { event: "go" }, done: true },
    });
    expect(steps(kernel)).toEqual(["  ◆ start  approval  Publish?"]);
    kernel.advance(60_000);
    kernel.answer("start");
    kernel.admitAll();
    expect(steps(kernel).slice(0, 2)).toEqual([
      expect.stringMatching(/^ {2}✔ start {2}approval .*-> approved$/),
      expect.stringMatching(/^ {2}◷ nap {4}sleep 1m 30s {2}goes on in 1 m 30 s$/),
    ]);
    kernel.advance(90_000);
    kernel.admitAll();
    expect(steps(kernel).at(-1)).toMatch(/◷ hear .*waits for the event go$/);
  });

  test("shows the states of a machine with the ways out of them", () => {
    const kernel = start({
      states: { open: { initial: true }, closed: { terminal: "success" } },
      transitions: [{ name: "close", from: "open", to: "closed" }],
    });
    expect(steps(kernel)).toEqual(["  ◆ open    waits for: close"]);
  });

  test("says that somebody must look: a call that may have happened, a branch that fits nothing", () => {
    const lost = start({ start: { tool: "pay", effect: "write", done: true } });
    lost.lose("start", "connection");
    expect(steps(lost)).toEqual(["  ! start  pay  nobody knows whether it happened; a person must say"]);
    const held = start({ start: { tool: "ask", branch: [{ if: "result == 1", then: "end" }] } });
    held.finish("start", 2);
    expect(steps(held)[0]).toContain("nothing matches; a person must choose what follows");
  });

  test("is ASCII and without colours where a terminal can do no more, and cut to its width", () => {
    const kernel = start({
      start: { name: "prüfen", tool: "log", next: "tell" },
      tell: { tool: "a_tool_with_a_long_name", done: true },
    });
    const drawn = drawRun(followed(kernel), { now: kernel.now() }, { ...look, isUnicode: false, columns: 24 });
    expect(drawn).toEqual(["* flow  1  running  0 ms", "  * prufen  log", "  . tell    a_tool_wi..."]);
    expect(drawn.every((line) => line.length <= 24)).toBe(true);
    expect(drawRun(followed(kernel), { now: kernel.now() }, { ...look, isColour: true })[1]).toContain("\u001B[36m●");
  });

  test("never passes on what would move the cursor", () => {
    const kernel = start({ start: { name: "a\u001B[2Jb\nc", tool: "x\u0007y", done: true } });
    kernel.fail("start", { code: "c", message: "\u001B]0;title\u0007" }, "final");
    const text = drawRun(followed(kernel), { now: kernel.now() }, look).join("");
    expect(text.split("").filter((character) => character < " ")).toEqual([]);
  });

  test("spins only when it is given a frame", () => {
    const kernel = start(chain);
    const [heading] = drawRun(followed(kernel), { now: kernel.now(), frame: 1 }, look);
    expect(heading).toMatch(/^⠙ flow {2}1 {2}running/);
  });

  test("of a chain of three thousand steps shows the beginning of what comes", () => {
    const links = Array.from(
      { length: 3000 },
      (_, index) =>
        [`s${index}`, { tool: "t", ...(index === 2999 ? { done: true } : { next: `s${index + 1}` }) }] as const,
    );
    const kernel = start({ format: "stepwell/v1", start: "s0", steps: Object.fromEntries(links) });
    expect(steps(kernel)).toHaveLength(51);
  });
});

describe("lines of changes", () => {
  test("are told as they came about, with what is known of the row", () => {
    const kernel = start(chain);
    const [row] = kernel.rows("start");
    kernel.advance(20);
    kernel.finish("start");
    const { startedAt, createdAt } = kernel.run();
    const at = startedAt ?? createdAt;
    const lines = drawChanges(
      [
        { step: kernel.row("sum").id, name: "sum", status: "running", at: at + 20 },
        { step: row?.id ?? 0, name: "start", status: "done", at: at + 20 },
        { step: row?.id ?? 0, name: "start", status: "running", at },
        { step: null, name: "start", status: "running", at },
        { step: null, name: "start", status: "completed", at: at + 20 },
      ],
      followed(kernel),
      look,
    );
    expect(lines).toEqual([
      "    0 ms  start 1 running",
      "    0 ms  start  web.fetch  running",
      "   20 ms  start  web.fetch  done  20 ms",
      "   20 ms  sum    text.sum   running",
      "   20 ms  start 1 completed",
    ]);
  });
});
