import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "../engine/clock.ts";
import { parseServerUrl } from "./address.ts";
import { createServers } from "./servers.ts";
import { Wire } from "./wire.ts";

test("a server whose answer was lost is neither added nor removed a second time", async () => {
  const heard: string[] = [];
  const server = createServer((request) => {
    heard.push(`${request.method ?? ""} ${request.url ?? ""}`);
    request.socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const address = parseServerUrl(`http://127.0.0.1:${port}`);
  const wire = new Wire({ address, token: undefined, patienceMs: 5000, clock: systemClock });
  const servers = createServers(wire, null);
  try {
    await expect(servers.add("parrot", { command: "parrot" })).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
    await expect(servers.remove("parrot")).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(heard).toEqual(["POST /api/servers", "DELETE /api/servers/parrot"]);
  } finally {
    wire.stop();
    server.close();
    await once(server, "close");
  }
});
