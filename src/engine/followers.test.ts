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
});
