import { describe, expect, test } from "vitest";
import { createDesk, createWorld } from "../testing/engine.ts";
import type { StoreNews } from "./changes.ts";

const flow = { start: { tool: "work", done: true } };

/** Pulled by the test alone: between two pulls it stands still, as for a reader whose connection is full. */
async function takeProgress(news: AsyncGenerator<StoreNews, void, undefined>): Promise<readonly string[]> {
  const told: string[] = [];
  for (let next = await news.next(); next.done !== true; next = await news.next()) {
    if (next.value.kind === "progress") told.push(next.value.progress.message ?? "");
    if (next.value.kind === "told") return told;
  }
  return told;
}

describe("whoever follows the store and stands still in the past", () => {
  test("is told of the newest two hundred calls that say how far they are: no more is kept", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call }, limits: { calls: 300 } });
    for (let count = 0; count < 300; count++) await engine.start(flow);
    await world.settle();
    expect(desk.calls).toHaveLength(300);
    const leaving = new AbortController();
    const news = engine.changes({ after: "0", signal: leaving.signal });
    expect((await news.next()).value).toMatchObject({ kind: "changes" });
    for (const [at, { context }] of desk.calls.entries()) context.progress(0.5, `call ${at}`);
    await world.clock.advance(250);
    // Whoever says it again is the newest.
    desk.calls[150]?.context.progress(0.6, "call 150 again");
    await world.clock.advance(250);
    const told = await takeProgress(news);
    expect([told.length, told.at(0), told.at(-1)]).toEqual([200, "call 100", "call 150 again"]);
    leaving.abort();
    await news.return();
    for (const call of desk.calls) call.done();
  });

  test("is told nothing of calls that have ended meanwhile", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const ids = [(await engine.start(flow)).id, (await engine.start(flow)).id, (await engine.start(flow)).id];
    await world.settle();
    const leaving = new AbortController();
    const news = engine.changes({ after: "0", signal: leaving.signal });
    expect((await news.next()).value).toMatchObject({ kind: "changes" });
    for (const [at, { context }] of desk.calls.entries()) context.progress(0.5, `call ${at}`);
    await world.clock.advance(250);
    desk.calls[0]?.done();
    await engine.cancel(ids[1] ?? 0);
    await world.settle();
    expect(await takeProgress(news)).toEqual(["call 2"]);
    leaving.abort();
    await news.return();
    desk.calls[2]?.done();
  });
});

describe("how far a call was when it ended", () => {
  test("is not told after its end, also when it was said a moment before", async () => {
    await using world = createWorld("memory");
    const desk = createDesk();
    const { engine } = await world.open({ tools: { work: desk.call } });
    const told: string[] = [];
    const leaving = new AbortController();
    const read = async (): Promise<void> => {
      for await (const news of engine.changes({ signal: leaving.signal }))
        if (news.kind === "progress") told.push(news.progress.message ?? "");
        else if (news.kind === "changes") told.push(...news.changes.map(({ status }) => status));
    };
    const reading = read();
    const { id } = await engine.start(flow);
    await world.settle();
    desk.last().context.progress(0.1, "begun");
    await world.settle();
    desk.last().context.progress(0.9, "almost");
    desk.last().done();
    await engine.result(id);
    await world.clock.advance(1000);
    await world.settle();
    leaving.abort();
    await reading;
    expect(told.slice(-3)).toEqual(["begun", "done", "completed"]);
  });
});
