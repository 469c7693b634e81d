import { expect, test } from "vitest";
import { createWorld } from "../testing/engine.ts";
import type { ServerView, ToolServers } from "../tool/servers.ts";
import { ToolWatch } from "./tool-watch.ts";

const ready: ServerView = {
  key: "files",
  status: "ready",
  problem: null,
  transport: "stdio",
  target: "files-server",
  command: null,
  file: null,
  isAdded: false,
  era: "modern",
  protocol: null,
  latencyMs: 1.2,
  lastWords: null,
  name: "files",
  version: "1",
  toolCount: 1,
  changedCount: 0,
  restarts: 0,
  callsUnderWay: 0,
  strayLines: 0,
};

/** One server, which is as the test says. */
function createServers(look: () => ServerView): ToolServers {
  const refuse = (): Promise<never> => Promise.reject(new Error("nobody should ask for this"));
  return {
    open: async () => {},
    close: async () => {},
    list: () => [look()],
    restart: refuse,
    test: refuse,
    add: refuse,
    remove: refuse,
    tryOut: refuse,
    approve: refuse,
    lock: { file: null, servers: [] },
    changes: [],
  };
}

test("what a server writes and measures with every call is nothing to tell of; how it is, is", async () => {
  await using world = createWorld("memory");
  let view = ready;
  const { engine } = await world.open({ servers: createServers(() => view) });
  const told: string[] = [];
  const leave = new ToolWatch(engine, world.clock).listen((what) => void told.push(what));
  await world.settle();
  for (let call = 1; call <= 5; call++) {
    const { latencyMs, callsUnderWay, strayLines } = {
      latencyMs: call / 10,
      callsUnderWay: call % 2,
      strayLines: call,
    };
    view = { ...ready, latencyMs, callsUnderWay, strayLines, lastWords: `call ${call}` };
    await world.clock.advance(1000);
  }
  expect(told).toEqual([]);
  view = { ...view, status: "waiting", problem: "It has ended." };
  await world.clock.advance(1000);
  expect(told).toEqual(["servers"]);
  leave();
});
