// A wire between a browser and a house, which can be cut and mended: the service itself goes on.

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Wire extends AsyncDisposable {
  readonly address: string;
  /** What is connected is not any more, and nothing else gets through. */
  readonly cut: () => void;
  readonly mend: () => void;
}

export async function openWire(to: string): Promise<Wire> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    // Whoever is cut off is told so: that is what it is for.
    return socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const further = keep(connect(Number(port), hostname));
    keep(socket).pipe(further).pipe(socket);
    socket.on("close", () => further.destroy());
    further.on("close", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = server.address();
  return {
    address: `http://localhost:${typeof own === "object" ? own?.port : 0}`,
    cut: () => {
      isCut = true;
      cut();
    },
    mend: () => {
      isCut = false;
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}
