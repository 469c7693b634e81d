// A short run of `npm run live`, and how a stream ends with its server.

import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { makePlace } from "./cli/command.ts";
import { runKills } from "./live/kills.ts";

describe("live events", () => {
  test("a client that follows while the server is killed knows in the end what the store does", async () => {
    const { problems, runs, connections } = await runKills({ kills: 2, seed: 7, say: () => {} });
    expect(problems).toEqual([]);
    expect(runs).toBeGreaterThan(2);
    expect(connections).toBeGreaterThanOrEqual(3);
  });

  test("a server that is told to stop ends its streams in good order", async () => {
    const place = makePlace();
    const service = place.start("up", "--port", "0", "--no-demo");
    const [, address = ""] = await service.said(/is up on (http:\/\/\S+),/);
    await service.said(/Ctrl\+C stops it/);
    const [response] = (await once(get(`${address}/api/events`), "response")) as [IncomingMessage];
    await once(response, "data");
    service.child.kill("SIGTERM");
    response.resume();
    await once(response, "close");
    // Cut off, it would not be.
    expect(response.complete).toBe(true);
    expect((await service.finished).exitCode).toBe(0);
    await place.remove();
  });
});
