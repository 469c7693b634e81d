import { describe, expect, test } from "vitest";
import type { Json } from "../flow/json.ts";
import { Context, type CallOrder } from "./call-context.ts";

const call = { row: 8, token: "8.x", tool: "work", key: "k", handle: null, timeoutMs: null, effect: "read" } as const;
const claimant = { row: 1, user: "ann", workflow: "w", tool: "work" };
const secret = { name: "KEY", pointer: "/key", offset: 0, length: 17 };
const order: CallOrder = {
  run: 7,
  attempt: 2,
  claimant,
  call: { ...call, args: { key: "{{ secrets.KEY }}" }, secrets: [secret] },
};

function createContext(): { readonly context: Context; readonly told: Json[] } {
  const told: Json[] = [];
  const context = new Context(order, {
    progressed: (run, row, progress) => void told.push([run, row, progress]),
    logged: (run, row, message) => void told.push([run, row, message]),
  });
  return { context, told };
}

describe("the context of a call", () => {
  test("says who calls, where and for which time, and where secrets stand", () => {
    const { context } = createContext();
    const { user, run, step, attempt, idempotencyKey, secretPlaces } = context;
    expect({ user, run, step, attempt, idempotencyKey, secretPlaces }).toEqual({
      user: "ann",
      run: 7,
      step: 8,
      attempt: 2,
      idempotencyKey: "k",
      secretPlaces: ["/key"],
    });
    context.give({ key: "canary" });
    expect(context.input).toEqual({ key: "canary" });
  });

  test("hears how far the tool is, in bounds", () => {
    const { context, told } = createContext();
    // As tools take it out.
    const { progress } = context;
    progress(0.25, "a quarter");
    progress(7);
    progress(-1);
    progress(null, `${"x".repeat(1999)}😀`);
    progress(Number.NaN);
    expect(told).toEqual([
      [7, 8, { fraction: 0.25, message: "a quarter" }],
      [7, 8, { fraction: 1, message: null }],
      [7, 8, { fraction: 0, message: null }],
      [7, 8, { fraction: null, message: `${"x".repeat(1999)}\uFFFD` }],
      [7, 8, { fraction: null, message: null }],
    ]);
  });

  test("hears 200 lines, each as long as it may be, and then says that it stops", () => {
    const { context, told } = createContext();
    const { log } = context;
    log(`${"y".repeat(1999)}😀`);
    for (let line = 2; line <= 1000; line += 1) log(`line ${line}`);
    expect(told[0]).toEqual([7, 8, `${"y".repeat(1999)}\uFFFD`]);
    expect(told.slice(199)).toEqual([
      [7, 8, "line 200"],
      [7, 8, "Only the first 200 lines are kept."],
    ]);
  });

  test("hears nothing once the call is over", () => {
    const { context, told } = createContext();
    const { log, progress } = context;
    log("in time");
    context.close();
    log("too late");
    progress(1);
    expect(told).toEqual([[7, 8, "in time"]]);
  });

  test("has a signal that is aborted, whether it was asked for before or after", () => {
    const { context } = createContext();
    const { signal } = context;
    context.abort();
    expect([signal.aborted, context.signal.aborted]).toEqual([true, true]);
    const { context: other } = createContext();
    other.abort();
    expect(other.signal.aborted).toBe(true);
  });
});
