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
