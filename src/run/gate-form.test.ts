import { describe, expect, it } from "vitest";
import type { JsonObject } from "../flow/json.ts";
import { codeOf, startKernel, type Kernel } from "../testing/kernel.ts";

const form = {
  type: "object",
  required: ["amount"],
  properties: { amount: { type: "number" }, to: { enum: ["ann", "ben"] } },
};

function startGate(gate: JsonObject, routes: JsonObject = {}): Kernel {
  const steps = { ask: { gate, next: "after", routes }, after: { tool: "log", done: true } };
  return startKernel({ format: "stepwell/v1", start: "ask", steps });
}

describe("an answer that does not fit the form", () => {
  it.each([
    [{ amount: "much" }, '"amount" must be number.'],
    [{}, '"amount" is missing.'],
    [{ amount: 1, to: "carl" }, '"to" must be equal to one of the allowed values: "ann", "ben".'],
    ["yes", "The answer must be object."],
  ])("%j is refused, and the gate waits on", (data, why) => {
    const kernel = startGate({ form });
    const reply = kernel.answer("ask", { data });
    expect(reply).toMatchObject({ kind: "refused", code: "bad_answer", message: expect.stringContaining(why) });
    expect(kernel.row("ask")).toMatchObject({ status: "pending", gate: { answers: [] } });
    kernel.answer("ask", { data: { amount: 2 } });
    expect(kernel.row("ask")).toMatchObject({ status: "done", result: { amount: 2 } });
  });

  it("because it was not filled in is refused as well, whichever way it comes; other answers need no form", () => {
    const kernel = startGate({ form }, { later: "after" });
    const missing = { kind: "refused", code: "bad_answer", message: expect.stringContaining('"amount" is missing.') };
    expect([kernel.answer("ask"), kernel.send({ kind: "ready", row: kernel.row("ask").id, by: "bob" })]).toMatchObject([
      missing,
      missing,
    ]);
    expect(kernel.row("ask").status).toBe("pending");
    kernel.answer("ask", { outcome: "later" });
    expect(kernel.row("ask")).toMatchObject({ status: "done", outcome: "later", result: "later" });
  });

  it("of several who agree, one fills it in: the last, unless somebody has before", () => {
    const kernel = startGate({ form, need: 2 });
    expect(kernel.answer("ask", { by: "ann" })).toMatchObject({ kind: "ok" });
    expect(codeOf(kernel.answer("ask", { by: "ben" }))).toBe("bad_answer");
    kernel.answer("ask", { by: "ben", data: { amount: 3 } });
    expect(kernel.row("ask")).toMatchObject({ status: "done", result: { amount: 3 } });
    const other = startGate({ form, need: 2 });
    other.answer("ask", { by: "ann", data: { amount: 4 } });
    other.answer("ask", { by: "ben" });
    expect(other.row("ask")).toMatchObject({ status: "done", result: { amount: 4 } });
  });

  it("is taken with a rejection: who says no need not fill it in", () => {
    const kernel = startGate({ form });
    kernel.answer("ask", { outcome: "rejected", data: { amount: "none" } });
    expect(kernel.row("ask")).toMatchObject({ status: "failed", error: { code: "rejected" } });
  });

  it("is taken when the form leads in a circle, and nothing can be said", () => {
    const kernel = startGate({ form: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } } });
    kernel.answer("ask", { data: { a: 1 } });
    expect(kernel.row("ask")).toMatchObject({ status: "done", result: { a: 1 } });
  });
});
