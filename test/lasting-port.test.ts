import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findLastingPort } from "../scripts/lasting-port.ts";

const range = "/proc/sys/net/ipv4/ip_local_port_range";

test.runIf(existsSync(range))("no outgoing connection takes a port that is to last", async () => {
  const [lowest = 0, highest = 0] = readFileSync(range, "utf8").split(/\s+/u).map(Number);
  for (const _ of Array(20).keys()) {
    const port = await findLastingPort();
    expect(port < lowest || port > highest).toBe(true);
  }
});
