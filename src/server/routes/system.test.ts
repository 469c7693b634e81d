import { describe, expect, test } from "vitest";
import type { Json } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService } from "../../testing/service.ts";

const held: Json = { start: { tool: "hold", done: true } };

describe("GET /api/system", () => {
  test("tells of the process, its store and its work", async () => {
    await using service = await createService(createWorld("memory"), { tools: { greet: () => "hello" } });
    await service.engine.start({ start: { gate: {}, done: true } });
    await service.engine.start({ start: { tool: "greet", done: true } }, { at: "in 30 minutes" });
    await service.settle();
    const { status, body } = await service.get("/api/system");
    expect([status, body]).toMatchObject([
      200,
      {
        version: expect.stringMatching(/^\d/),
        pid: process.pid,
        status: "ok",
        reasons: [],
        is_owner: true,
        owner: { pid: process.pid },
        runs: { running: 1, scheduled: 1, paused: 0 },
        ready: { count: 0, oldest_at: null },
        running_calls: 0,
        calls_max: 1000,
        can_crash: false,
        retention: { age_ms: null, runs_max: null, bytes_max: null },
      },
    ]);
    expect(["memory", "sqlite", "postgres"]).toContain((body["store"] as { readonly kind: string }).kind);
    expect(Number(body["memory_bytes"])).toBeGreaterThan(1_000_000);
    expect(Number(body["started_at"])).toBeLessThanOrEqual(Date.now());
  });

  test("tells what a commit takes, and how many steps have ended in the last quarter of an hour", async () => {
    await using service = await createService(createWorld("memory"), { tools: { greet: () => "hello" } });
    for (const _ of [1, 2, 3]) await service.engine.start({ start: { tool: "greet", done: true } });
    await service.settle();
    const ended = async (): Promise<{ readonly every_ms: number; readonly since: number; readonly counts: number[] }> =>
      (await service.get("/api/system")).body["steps_ended"] as Awaited<ReturnType<typeof ended>>;
    expect((await service.get("/api/system")).body["commit_ms"]).toBeGreaterThan(0);
    const now = await ended();
    expect(now).toMatchObject({ every_ms: 10_000 });
    expect([now.counts.length, now.counts.at(-1)]).toEqual([90, 3]);
    expect(now.since + 89 * 10_000).toBeLessThanOrEqual(service.world.clock.now());
    await service.world.clock.advance(60_000);
    expect((await ended()).counts.slice(-7)).toEqual([3, 0, 0, 0, 0, 0, 0]);
  });

  test("counts what waits to be called, and says since when", async () => {
    const free = Promise.withResolvers<void>();
    const hold = async (): Promise<string> => {
      await free.promise;
      return "held";
    };
    await using service = await createService(createWorld("memory"), {
      tools: { hold },
      limits: { calls: 1 },
      retention: { ageMs: 86_400_000, runsMax: 100 },
    });
    const since = service.world.clock.now();
    for (const _ of [1, 2, 3]) await service.engine.start(held);
    await service.world.clock.advance(60_000);
    expect((await service.get("/api/system")).body).toMatchObject({
      ready: { count: 2, oldest_at: since },
      running_calls: 1,
      calls_max: 1,
      retention: { age_ms: 86_400_000, runs_max: 100, bytes_max: null },
    });
    free.resolve();
  });
});
