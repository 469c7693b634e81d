import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../flow/json.ts";
import { createWorld } from "../../testing/engine.ts";
import { createService, type Service } from "../../testing/service.ts";
import { overviewSchema } from "../contract/overview-schema.ts";

const tools = {
  count: () => 42,
  fail: () => {
    throw new Error("out of order");
  },
};

const good = { start: { tool: "count", done: true } };
const bad = { start: { tool: "fail", retry: { attempts: 1 }, done: true } };

async function openService(): Promise<Service> {
  return createService(createWorld("memory"), { tools });
}

async function overviewOf({ get }: Service, query = ""): Promise<JsonObject> {
  const { status, body } = await get(`/api/overview${query}`);
  expect(status).toBe(200);
  expect(overviewSchema.safeParse(body).error).toBeUndefined();
  return body;
}

describe("GET /api/overview", () => {
  test("of nothing has every hour of the window, and nothing in any", async () => {
    await using service = await openService();
    const body = await overviewOf(service);
    const hours = body["hours"] as readonly { readonly from: number; readonly to: number }[];
    expect(hours).toHaveLength(24);
    expect(hours.every(({ from, to }, at) => to - from === 3_600_000 && (at === 0 || hours[at - 1]?.to === from))).toBe(
      true,
    );
    expect(hours.at(-1)?.to).toBeGreaterThan(Number(body["now"]));
    expect(body).toMatchObject({
      is_complete: true,
      today: { runs: 0, failed: 0, waiting: 0 },
      workflows: [],
      failures: [],
      running: [],
      upcoming: [],
    });
    expect((await overviewOf(service, "?hours=3"))["hours"]).toHaveLength(3);
  });

  test("counts runs by hour and workflow, and groups what failed by what was said", async () => {
    await using service = await openService();
    const { engine } = service;
    for (const flow of [good, bad, good, bad]) await engine.start(flow, { name: flow === good ? "well" : "ill" });
    await engine.start({ start: { gate: {}, done: true } }, { name: "asks" });
    const later = await engine.start(good, { name: "well", at: "in 30 minutes" });
    await service.settle();
    const body = await overviewOf(service);
    const hours = body["hours"] as readonly JsonObject[];
    expect(hours.at(-1)?.["statuses"]).toEqual({ completed: 2, failed: 2, running: 1 });
    expect(body["today"]).toMatchObject({ runs: 5, failed: 2, waiting: 1 });
    const workflows = body["workflows"] as readonly JsonObject[];
    const named = (name: string): JsonObject | undefined => workflows.find((one) => one["name"] === name);
    expect(named("well")).toMatchObject({ runs: 3, success_rate: 1, next_at: later.scheduledAt });
    expect(named("ill")).toMatchObject({ runs: 2, success_rate: 0, next_at: null });
    expect(named("asks")).toMatchObject({ runs: 1, success_rate: null, p50_ms: null, p95_ms: null });
    expect(named("well")?.["last"]).toMatchObject([
      { status: "scheduled", duration_ms: null },
      { status: "completed", terminal_kind: "success" },
      { status: "completed", terminal_kind: "success" },
    ]);
    expect(body["failures"]).toMatchObject([{ workflow: "ill", count: 2, message: expect.stringContaining("order") }]);
    expect(body["running"]).toMatchObject([{ name: "asks", steps: { total: 1, statuses: { pending: 1 } } }]);
    expect(body["upcoming"]).toMatchObject([{ kind: "start", workflow_id: later.id }]);
  });

  test("what begins later is none of today's runs until it begins", async () => {
    await using service = await openService();
    await service.engine.start(good, { name: "well", at: "in 30 minutes" });
    const countedOf = async (): Promise<readonly unknown[]> => {
      const { today, hours, upcoming } = (await overviewOf(service)) as {
        readonly today: { readonly runs: number };
        readonly hours: readonly { readonly statuses: JsonObject }[];
        readonly upcoming: readonly JsonObject[];
      };
      return [today.runs, hours.flatMap(({ statuses }) => Object.keys(statuses)), upcoming.length];
    };
    expect(await countedOf()).toEqual([0, [], 1]);
    await service.world.clock.advance(31 * 60_000);
    await service.settle();
    expect(await countedOf()).toEqual([1, ["completed"], 0]);
  });

  test("a day begins at midnight of the zone that was asked for, and no zone is refused", async () => {
    await using service = await openService();
    const since = async (zone: string): Promise<number> => {
      const { today } = (await overviewOf(service, `?tz=${encodeURIComponent(zone)}`)) as {
        readonly today: { readonly since: number };
      };
      return today.since;
    };
    expect((await since("UTC")) % 86_400_000).toBe(0);
    expect((await since("+05:30")) % 86_400_000).toBe(86_400_000 - 5.5 * 3_600_000);
    const { status, body } = await service.get("/api/overview?tz=Nowhere/Land");
    expect([status, body["code"]]).toEqual([422, "INPUT_INVALID"]);
  });
});
