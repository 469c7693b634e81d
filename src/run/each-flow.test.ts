import { describe, expect, it } from "vitest";
import { startKernel, type Kernel } from "../testing/kernel.ts";
import type { Row } from "./model.ts";

function items(kernel: Kernel): readonly Row[] {
  return kernel.rows("start").filter((row) => row.role === "item");
}

describe("each over a sub-flow", () => {
  it("starts a child per item, and is paused with the run", () => {
    const kernel = startKernel(
      {
        start: {
          flow: "child",
          input: { n: "{{ item }}" },
          each: { items: "{{ input.list }}", concurrency: 1 },
          done: true,
        },
      },
      { input: { list: [7, 8] } },
    );
    expect(kernel.sends).toMatchObject([{ workflow: { name: "child" }, message: { kind: "start", input: { n: 7 } } }]);
    kernel.send({ kind: "pause", by: "ann" });
    const [first] = items(kernel);
    kernel.send({
      kind: "child",
      row: first?.id ?? 0,
      child: first?.childRun ?? 0,
      status: "completed",
      output: "seven",
      error: null,
    });
    expect(items(kernel).map((row) => row.status)).toEqual(["done", "ready"]);
    kernel.send({ kind: "resume", by: "ann" });
    expect(kernel.sends.at(-1)).toMatchObject({ message: { kind: "start", input: { n: 8 } } });
    const second = items(kernel)[1];
    kernel.send({
      kind: "child",
      row: second?.id ?? 0,
      child: second?.childRun ?? 0,
      status: "cancelled",
      output: null,
      error: null,
    });
    expect(kernel.run()).toMatchObject({ status: "failed", error: { code: "cancelled" } });
  });

  it("starts all items and their further tries in the version that was newest when the step was entered", () => {
    let newest = "one";
    const each = { items: "{{ [7, 8] }}", concurrency: 1 };
    const step = { flow: "child", each, retry: { attempts: 2, backoff: ["1m"] }, done: true };
    const kernel = startKernel({ start: step }, { flowOf: () => newest });
    newest = "two";
    const end = (status: "completed" | "failed"): void => {
      const { id: row, childRun } = items(kernel).at(-1) ?? kernel.row("start");
      kernel.send({ kind: "child", row, child: childRun ?? 0, status, output: null, error: null });
    };
    end("failed");
    kernel.advance(60_000);
    end("completed");
    end("completed");
    expect(kernel.sends.map(({ workflow }) => workflow?.flow)).toEqual(["one", "one", "one"]);
    expect(kernel.run().status).toBe("completed");
  });

  it("stops the children of the other items when one fails", () => {
    const each = { items: "{{ [0, 1, 2] }}", concurrency: 3 };
    const kernel = startKernel({ start: { flow: "child", input: { n: "{{ 1 / item }}" }, each, done: true } });
    expect(kernel.sends.map(({ message }) => message.kind)).toEqual(["start", "start", "cancel", "cancel"]);
    expect(items(kernel).map((row) => row.status)).toEqual(["failed", "cancelled", "cancelled"]);
    expect(kernel.run()).toMatchObject({ status: "failed", live: 0 });
  });

  it("starts no child of an item that was stopped in the same decision", () => {
    const policy = { timeout: "1m", retry: { attempts: 2, backoff: ["30s"] } };
    const each = { items: "{{ [7, 8] }}", concurrency: 2 };
    const kernel = startKernel({
      start: { flow: "child", each, ...policy, on_error: "after" },
      after: { tool: "log" },
    });
    kernel.advance(30_000);
    const second = items(kernel)[1];
    const error = { code: "broken", message: "no" };
    kernel.send({
      kind: "child",
      row: second?.id ?? 0,
      child: second?.childRun ?? 0,
      status: "failed",
      output: null,
      error,
    });
    // The first one's time is over at the instant at which the second one would be tried again.
    kernel.advance(30_000);
    expect(items(kernel).map((row) => row.status)).toEqual(["failed", "failed", "cancelled"]);
    expect(kernel.sends.map(({ message }) => message.kind)).toEqual(["start", "start", "cancel"]);
    expect(kernel.row("after").status).toBe("ready");
    expect(kernel.run()).toMatchObject({ status: "running", live: 1 });
  });

  it("starts each child again that failed, with the item's own input", () => {
    const each = { items: "{{ [7] }}" };
    const kernel = startKernel({
      start: { flow: "child", input: { n: "{{ item }}" }, each, retry: { attempts: 2, backoff: ["1m"] }, done: true },
    });
    const [first] = items(kernel);
    const error = { code: "broken", message: "no" };
    kernel.send({
      kind: "child",
      row: first?.id ?? 0,
      child: first?.childRun ?? 0,
      status: "failed",
      output: null,
      error,
    });
    kernel.advance(60_000);
    expect(kernel.sends.at(-1)).toMatchObject({ message: { kind: "start", input: { n: 7 } } });
    const again = items(kernel)[1];
    kernel.send({
      kind: "child",
      row: again?.id ?? 0,
      child: again?.childRun ?? 0,
      status: "completed",
      output: "seven",
      error: null,
    });
    expect(kernel.run().output).toEqual(["seven"]);
  });
});
