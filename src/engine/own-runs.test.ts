// Users who may deal with their own runs only: those of others are not there.

import { describe, expect, test } from "vitest";
import { StepwellError } from "../error.ts";
import { codeOfRejection, createWorld } from "../testing/engine.ts";
import type { UserEngine } from "./engine.ts";

const log = { log: () => "logged" };
const gate = { start: { gate: {}, done: true } };

/** All that somebody is told who is refused. */
async function toldBy(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "nothing",
    (error: unknown) => {
      if (!(error instanceof StepwellError)) return String(error);
      const { code, message, hint, details } = error;
      return `${code} ${message} ${JSON.stringify({ hint, details })}`;
    },
  );
}

describe("a user with narrow keys", () => {
  test("deals with its own runs only, and those of others are not there", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: log });
    await engine.access.save("ann", {
      keys: ["130001.start", "130001.read.own", "130001.cancel.own", "130001.answer.own"],
    });
    const ann = engine.as("ann");
    const own = await ann.start(gate);
    const other = await engine.start(gate);
    expect((await ann.list()).map(({ run }) => run.id)).toEqual([own.id]);
    expect((await ann.list({ limitMax: 1 })).map(({ run }) => run.id)).toEqual([own.id]);
    expect((await ann.get(own.id)).id).toBe(own.id);
    const [step] = (await engine.get(other.id)).steps;
    // In the very words in which the program itself hears of what is not there.
    for (const act of [
      (user: UserEngine, run: number) => user.get(run),
      (user: UserEngine, run: number) => user.flow(run),
      (user: UserEngine, run: number) => user.history(run),
      (user: UserEngine, run: number) => user.result(run),
      (user: UserEngine, run: number) => user.watch(run).next(),
      (user: UserEngine, run: number) => user.preview(run),
      (user: UserEngine, run: number) => user.cancel(run),
      (user: UserEngine, run: number) => user.retry(run),
    ]) {
      const told = (await toldBy(act(engine, 1))).replaceAll("1", String(other.id));
      expect(told).toMatch(/^RUN_NOT_FOUND /);
      expect(await toldBy(act(ann, other.id))).toBe(told);
      expect(await toldBy(act(ann, 1))).toBe(await toldBy(act(engine, 1)));
    }
    expect(await toldBy(ann.approve(step?.id ?? 0))).toBe(`STEP_NOT_FOUND There is no step ${step?.id}. {}`);
    expect(await toldBy(ann.approve(1))).toBe(await toldBy(engine.approve(1)));
    expect(await codeOfRejection(ann.pause(other.id))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(ann.emit("go"))).toBe("NOT_ALLOWED");
    await ann.cancel(own.id);
    expect((await ann.get(own.id)).status).toBe("cancelled");
    expect((await engine.get(other.id)).status).toBe("running");
  });

  test("who sees all runs is told that another's is not theirs to change", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open({ tools: log });
    await engine.access.save("ann", { keys: ["130001.read", "130001.cancel.own"] });
    const { id } = await engine.start(gate);
    expect(await codeOfRejection(engine.as("ann").cancel(id))).toBe("NOT_ALLOWED");
    expect(await codeOfRejection(engine.as("ann").cancel(1))).toBe("RUN_NOT_FOUND");
  });

  test("finds its own runs among many pages of others", async () => {
    await using world = createWorld("memory");
    const { engine } = await world.open();
    await engine.access.save("ann", { keys: ["130001.start", "130001.read.own"] });
    const own = await engine.as("ann").start(gate);
    await Promise.all(Array.from({ length: 501 }, () => engine.start(gate)));
    expect((await engine.as("ann").list()).map(({ run }) => run.id)).toEqual([own.id]);
  });
});
