import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../engine/clock.ts";
import { isObject, type Json, type JsonObject } from "../../flow/json.ts";
import type { Store } from "../../store/store.ts";
import { createWorld } from "../../testing/engine.ts";
import type { FaultyStore } from "../../testing/faulty-store.ts";
import { createService, type Service } from "../../testing/service.ts";

/** With the store that it reads. */
async function openSpied(): Promise<{ readonly service: Service; readonly store: Store }> {
  const opened: Store[] = [];
  const prepare = ({ store }: FaultyStore): void => void opened.push(store);
  const service = await createService(createWorld("memory"), { tools: {}, clock: systemClock, prepare });
  const [store] = opened;
  if (store === undefined) throw new Error("No store was opened.");
  return { service, store };
}

/** A gate behind so many branches, and how it is asked for. */
async function startGate(service: Service, names: readonly string[], gate: JsonObject = {}): Promise<string> {
  const flow: Json = {
    start: { set: { first: true }, parallel: names },
    ...Object.fromEntries(names.map((name, n) => [name, { set: { n }, join: "ask" }])),
    ask: { gate: {}, done: true, ...gate },
  };
  const { id } = await service.engine.start(flow);
  await service.settle();
  const { list } = await service.get("/api/inbox");
  return `/api/workflow/${id}/steps/${Number(list[0]?.["step_id"])}?part=previous`;
}

async function shownIn({ get }: Service): Promise<readonly Json[]> {
  const { list } = await get("/api/inbox");
  return list.map(({ gate }) => (isObject(gate ?? null) ? ((gate as JsonObject)["data"] ?? null) : null));
}

describe("what led to a gate behind more steps than are told of a run", () => {
  const names = Array.from({ length: 5100 }, (_, n) => `b${n}`);

  test("is told whole: all branches by themselves, and all of them count in the inbox", async () => {
    const { service: opened } = await openSpied();
    await using service = opened;
    const path = await startGate(service, names);
    const { status, body } = await service.get(path);
    expect([status, Object.keys(body).length, body["b0"], body["b5099"]]).toEqual([200, 5100, { n: 0 }, { n: 5099 }]);
    expect(await shownIn(service)).toEqual([{ $omitted: Buffer.byteLength(JSON.stringify(body)) }]);
  });

  test("is found where the gate names a step far back", async () => {
    const { service: opened } = await openSpied();
    await using service = opened;
    const path = await startGate(service, names, { input_from: "start" });
    expect((await service.get(path)).body).toEqual({ first: true });
    expect(await shownIn(service)).toEqual([{ first: true }]);
  });
});

test("what many branches have brought is refused where it is too much for one answer", async () => {
  const { service: opened, store } = await openSpied();
  await using service = opened;
  const path = await startGate(service, ["one", "two"]);
  const listArrivals = store.listArrivals.bind(store);
  vi.spyOn(store, "listArrivals").mockImplementationOnce(async (run, fork) => {
    const found = await listArrivals(run, fork);
    return found.map((brief) => ({ ...brief, lastBytes: 40 * 1024 * 1024 }));
  });
  const refused = await service.get(path);
  expect([refused.status, refused.body]).toMatchObject([
    413,
    { code: "TOO_LARGE", detail: expect.stringContaining("2 branches") as string },
  ]);
  expect((await service.get(path)).body).toEqual({ one: { n: 0 }, two: { n: 1 } });
});
