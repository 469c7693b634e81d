import { describe, expect, test } from "vitest";
import type { Committed } from "../store/store.ts";
import { createWorld } from "../testing/engine.ts";
import { createGate } from "../testing/faulty-store.ts";

const oneStep = { start: { tool: "work", done: true } };

describe("what is kept beside the runs", () => {
  test("may come, go and come again within one batch, and counts on afterwards", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ tools: { work: () => null } });
    const gate = createGate();
    store.faults.beforeCommit = () => gate.opened.then(() => undefined);
    const started = engine.start(oneStep);
    await world.settle();
    const changes: Promise<unknown>[] = [];
    for (const change of [
      () => engine.secrets.set("a", "first value"),
      () => engine.secrets.remove("a"),
      () => engine.secrets.set("a", "second value"),
      () => engine.secrets.set("b", "other value"),
      () => engine.secrets.remove("b"),
    ]) {
      changes.push(change());
      await world.settle();
    }
    gate.open();
    await Promise.all([started, ...changes]);
    const [entry, ...others] = await store.store.listEntries("secret");
    expect([entry?.key, entry?.version, others]).toEqual(["a", 3, []]);
    await engine.secrets.remove("a");
    await engine.secrets.set("a", "third value");
    expect((await store.store.listEntries("secret")).map(({ version }) => version)).toEqual([5]);
  });

  test("is forgotten when the store refuses it for good, and all else goes on", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ tools: { work: () => "done" } });
    await engine.secrets.set("a", "first value");
    const refused: Committed = { kind: "refused", reason: "constraint", message: "said to be wrong" };
    store.faults.beforeCommit = ({ entries }) => (entries.some(({ version }) => version === 2) ? refused : undefined);
    const changed = engine.secrets.set("a", "second value");
    const started = engine.start(oneStep);
    await expect(changed).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringContaining("said to be wrong"),
    });
    expect((await engine.result((await started).id)).output).toBe("done");
    store.faults.beforeCommit = null;
    await engine.secrets.set("a", "third value");
    expect((await store.store.listEntries("secret")).map(({ version }) => version)).toEqual([2]);
  });

  test("that is refused takes nothing along that is on its way", async () => {
    await using world = createWorld("file");
    const { engine, store } = await world.open({ tools: { work: () => "done" } });
    const refused: Committed = { kind: "refused", reason: "constraint", message: "said to be wrong" };
    store.faults.beforeCommit = ({ entries }) => (entries.some(({ key }) => key === "bad") ? refused : undefined);
    const flow = { steps: oneStep };
    const saves = ["bad", "good", "better"].map((name) => engine.workflows.save(flow, { name }));
    const settled = await Promise.allSettled(saves);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect((await engine.start("good")).status).toBe("running");
    expect((await engine.workflows.save({ steps: { start: { terminal: "success" } } }, { name: "good" })).version).toBe(
      2,
    );
    await expect(engine.start("bad")).rejects.toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
  });
});
