import { describe, expect, test } from "vitest";
import type { StoreChange, StoreNews } from "../engine/changes.ts";
import { Outbox } from "./outbox.ts";

function change(run: number, step: number | null, status: string): StoreChange {
  return { run, step, name: "greet", stepName: step === null ? null : "ask", status };
}

function commit(no: number, ...changes: readonly StoreChange[]): StoreNews {
  return { kind: "changes", cursor: String(no), at: no * 1000, changes };
}

/** What is sent, in short: the event, its id, and of each change the status and the instant. */
function tell(outbox: Outbox): readonly string[] {
  return outbox.take().map(({ event, id, data }) => {
    const { changes = [] } = JSON.parse(data) as { changes?: { step_id: number | null; status: string; at: number }[] };
    return [event, id, ...changes.map(({ step_id, status, at }) => `${step_id} ${status} ${at}`)].join(", ");
  });
}

describe("what waits for a reader", () => {
  test("is one event of the newest of each run and step, in the order in which they changed last", () => {
    const outbox = new Outbox(10_000);
    outbox.add(commit(1, change(1, null, "running"), change(1, 2, "running")));
    outbox.add(commit(2, change(1, 3, "running")));
    outbox.add(commit(3, change(1, 2, "done")));
    expect(tell(outbox)).toEqual(["change, 3, null running 1000, 3 running 2000, 2 done 3000"]);
    expect(outbox.isEmpty).toBe(true);
    expect(tell(outbox)).toEqual([]);
  });

  test("says all in the words of the wire", () => {
    const outbox = new Outbox(10_000);
    outbox.add(commit(7, change(1, 2, "done")));
    expect(JSON.parse(outbox.take()[0]?.data ?? "")).toEqual({
      cursor: "7",
      at: 7000,
      changes: [{ run_id: 1, step_id: 2, name: "greet", step: "ask", status: "done", at: 7000 }],
    });
  });

  test("counts what is on its way, and forgets all when it is too much", () => {
    const outbox = new Outbox(200);
    outbox.add(commit(1, change(1, 2, "running"), change(1, 3, "running")));
    const { bytes } = outbox;
    expect(outbox.take()).toHaveLength(1);
    expect(outbox.bytes).toBe(bytes);
    outbox.add(commit(2, change(1, 2, "done")));
    expect(outbox.bytes).toBe(bytes);
    outbox.sent();
    expect(outbox.bytes).toBe(0);
    outbox.add(commit(3, change(1, 4, "running")));
    expect(tell(outbox)).toEqual(["reset, 2", "change, 3, 4 running 3000"]);
    // The same step again and again is not more.
    for (let no = 4; no < 100; no++) outbox.add(commit(no, change(1, 2, `try ${no}`)));
    outbox.sent();
    expect(tell(outbox)).toEqual(["change, 99, 2 try 99 99000"]);
  });

  test("begins anew where the store does", () => {
    const outbox = new Outbox(10_000);
    outbox.add(commit(1, change(1, 2, "running")));
    outbox.add({ kind: "reset", cursor: "40" });
    outbox.add(commit(41, change(1, 2, "done")));
    expect(tell(outbox)).toEqual(["reset, 40", "change, 41, 2 done 41000"]);
    outbox.add({ kind: "told", cursor: "50" });
    expect([outbox.isEmpty, outbox.cursor]).toEqual([true, "50"]);
  });

  test("greets who comes without a cursor", () => {
    const outbox = new Outbox(10_000);
    outbox.greet("4");
    outbox.add(commit(5, change(1, null, "running")));
    expect(tell(outbox)).toEqual(["hello, 4", "change, 5, null running 5000"]);
  });
});

describe("beside the changes of runs", () => {
  test("what has changed otherwise waits once, however often it did, and goes when all is to be read anew", () => {
    const outbox = new Outbox(10_000);
    outbox.add(commit(1, change(1, null, "running")));
    outbox.add({ kind: "changed", cursor: "2", what: "workflows" });
    outbox.add({ kind: "changed", cursor: "3", what: "workflows" });
    outbox.note("tools");
    expect(outbox.isEmpty).toBe(false);
    expect(outbox.take().map(({ event, id, data }) => [event, id, JSON.parse(data)])).toEqual([
      ["change", "3", expect.anything()],
      ["changed", "3", { cursor: "3", what: "workflows" }],
      ["changed", "3", { cursor: "3", what: "tools" }],
    ]);
    expect(outbox.isEmpty).toBe(true);
    outbox.note("tools");
    outbox.add({ kind: "reset", cursor: "4" });
    expect(outbox.take().map(({ event }) => event)).toEqual(["reset"]);
  });

  test("how far calls are counts with all that waits: of what is too much the oldest goes, and nobody reads anew", () => {
    const outbox = new Outbox(1000);
    const tellProgress = (step: number): void =>
      outbox.add({
        kind: "progress",
        cursor: "1",
        run: 1,
        step,
        progress: { fraction: 0.5, message: "m".repeat(100) },
      });
    outbox.add(commit(1, change(1, null, "running")));
    const { bytes } = outbox;
    for (let step = 2; step <= 50; step++) tellProgress(step);
    expect(outbox.bytes).toBeGreaterThan(bytes);
    expect(outbox.bytes).toBeLessThanOrEqual(1000);
    const waiting = outbox.bytes;
    const messages = outbox.take();
    expect(messages.map(({ event }) => event)).toEqual(["change", ...Array.from({ length: 5 }, () => "progress")]);
    expect(JSON.parse(messages.at(-1)?.data ?? "")).toMatchObject({ step_id: 50 });
    // On their way, they count until they are sent.
    expect(outbox.bytes).toBe(waiting);
    for (let step = 2; step <= 50; step++) tellProgress(step);
    expect(outbox.bytes).toBeLessThanOrEqual(1000);
    outbox.sent();
    outbox.take();
    outbox.sent();
    expect(outbox.bytes).toBe(0);
    for (let step = 2; step <= 50; step++) tellProgress(step);
    // Changes have the room that they need.
    outbox.add(commit(2, ...[2, 3, 4, 5, 6].map((step) => change(1, step, "running"))));
    expect(outbox.take().map(({ event }) => event)).toEqual(["change", "progress", "progress", "progress"]);
  });

  test("how far a call was goes when its step ends before it is taken", () => {
    const outbox = new Outbox(10_000);
    for (const step of [2, 3])
      outbox.add({ kind: "progress", cursor: "1", run: 1, step, progress: { fraction: 0.5, message: null } });
    outbox.add(commit(2, change(1, 2, "done"), change(1, 3, "running")));
    expect(outbox.take().map(({ event, data }) => [event, JSON.parse(data)])).toMatchObject([
      ["change", {}],
      ["progress", { step_id: 3 }],
    ]);
  });

  test("of each call the newest of how far it is waits, and of no more than two hundred calls", () => {
    const outbox = new Outbox(100_000);
    const tellProgress = (step: number, fraction: number): void =>
      outbox.add({ kind: "progress", cursor: "1", run: 1, step, progress: { fraction, message: null } });
    tellProgress(2, 0.1);
    tellProgress(2, 0.2);
    expect(outbox.take().map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
      ["progress", { run_id: 1, step_id: 2, fraction: 0.2, message: null }],
    ]);
    for (let step = 1; step <= 500; step++) tellProgress(step, 0.5);
    const told = outbox.take().map(({ data }) => (JSON.parse(data) as { step_id: number }).step_id);
    expect([told.length, told.at(0), told.at(-1)]).toEqual([200, 301, 500]);
  });
});
