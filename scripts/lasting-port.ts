// A port for what is killed and started again on the same one. Outgoing connections take theirs from the upper half, any of
// them, and keep them for a minute after they have ended: where tests make thousands, a port from there that was left for
// a moment is now and then not to be had again.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that Linux (32768 and up) and others (49152 and up) give to connections. */
const [lowest, highest] = [20_000, 32_000];

export async function findLastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    const listening = once(server, "listening");
    server.listen(port, "127.0.0.1");
    await listening;
  } catch {
    // Somebody else has it.
    return false;
  }
  const closed = once(server, "close");
  server.close();
  await closed;
  return true;
}
