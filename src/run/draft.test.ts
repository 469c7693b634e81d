import { describe, expect, it } from "vitest";
import { parseExpression } from "../flow/expression/parse.ts";
import { envAt, startKernel, type Kernel } from "../testing/kernel.ts";
import { findServed, openDraft, requireServed, stepOf, type Draft } from "./draft.ts";
import { gather } from "./each.ts";
import { keyFor } from "./row.ts";
import { settle } from "./settle.ts";
import { startUndo } from "./undo.ts";
import { computeExpression } from "./values.ts";

// What no run of a plan comes to: the parts of the kernel by themselves.

const start = (): Kernel => startKernel({ start: { tool: "work", done: true } });

function draftOf(kernel: Kernel): Draft {
  return openDraft(kernel.plan, kernel.frontier, envAt(kernel.now()), "reading");
}

describe("a draft", () => {
  it("that is asked for a step which the plan does not have is a mistake of ours", () => {
    expect(() => stepOf(draftOf(start()), { step: "nowhere" })).toThrow("no step nowhere");
  });

  it("finds no row served by one that serves none", () => {
    const kernel = start();
    expect(findServed(draftOf(kernel), kernel.row("start"))).toBeUndefined();
    expect(requireServed(draftOf(kernel), kernel.row("start"))).toBeUndefined();
  });

  it("in which a row is to go on that is not there, or that waits to be admitted, changes nothing", () => {
    const kernel = start();
    const draft = draftOf(kernel);
    draft.todo.push(
      { kind: "open", row: 999 },
      { kind: "open", row: kernel.row("start").id },
      { kind: "each_over", row: kernel.row("start").id },
    );
    settle(draft);
    expect([...draft.rows]).toEqual([]);
  });

  it("makes no undoing of a step that says nothing of it", () => {
    const kernel = start();
    const draft = draftOf(kernel);
    startUndo(draft, kernel.row("start"));
    expect([...draft.rows]).toEqual([]);
  });

  it("gathers no items of a step that has none", () => {
    const kernel = start();
    const open = { kind: "each", count: 1, started: 1, ended: 1, failed: 0, items: 1, copied: [] } as const;
    expect(() => gather(draftOf(kernel), kernel.row("start"), open)).toThrow("no items");
  });

  it.each(["item", "index", "data", "event", "nonsense"])("knows no %s where there is none", (root) => {
    const kernel = start();
    const parsed = parseExpression(root);
    if (!parsed.ok) throw new Error("it does not parse");
    expect(computeExpression(draftOf(kernel), kernel.row("start"), parsed.expression).value).toBeNull();
  });
});

describe("the key of a call that serves a row", () => {
  it("is made of the row's own", () => {
    const row = start().row("start");
    expect(keyFor(row, "probe")).toBe("run-uid:start:1:probe");
    expect(keyFor({ ...row, key: null }, "undo")).toBe(":undo");
  });
});
