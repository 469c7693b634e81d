import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

type Line = AsyncDisposable & {
  readonly proxy: TcpProxy;
  readonly dial: () => Promise<Socket>;
  /** Sides of the server, in the order in which they came. */
  readonly served: readonly Socket[];
};

/** A server that says everything back, in capitals. */
async function openLine(): Promise<Line> {
  const served: Socket[] = [];
  const server = createServer((socket) => {
    served.push(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => void socket.write(bytes.toString().toUpperCase()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const proxy = await openTcpProxy(`tcp://127.0.0.1:${port}`);
  return {
    proxy,
    served,
    dial: async () => {
      const socket = connect(proxy.port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, "connect");
      return socket;
    },
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      for (const socket of served) socket.destroy();
      server.close();
    },
  };
}

/** However that comes about. */
function untilClosed(socket: Socket | undefined): Promise<unknown> {
  return new Promise((resolve) => socket?.once("close", resolve));
}

async function read(socket: Socket): Promise<string> {
  const [bytes] = await once(socket, "data");
  return String(bytes);
}

/** Everything that comes until the connection is over. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (bytes) => void (text += String(bytes)));
  await untilClosed(socket);
  return text;
}

test("bytes come through in both directions, and the address leads through the proxy", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  socket.write("hello");
  expect(await read(socket)).toBe("HELLO");
  expect(line.proxy.through("postgres://a:b@db.example:7000/x?y=z")).toBe(
    `postgres://a:b@127.0.0.1:${line.proxy.port}/x?y=z`,
  );
  expect([line.proxy.openCount(), line.proxy.acceptedCount()]).toEqual([1, 1]);
});

test("a cut resets both sides; whoever comes after it is served", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  socket.write("hello");
  await read(socket);
  const closed = [untilClosed(socket), untilClosed(line.served[0])];
  line.proxy.cut();
  await Promise.all(closed);
  const next = await line.dial();
  next.write("again");
  expect(await read(next)).toBe("AGAIN");
});

test("what is stalled comes later and whole, once that is over", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  socket.write("one");
  await read(socket);
  line.proxy.disturb({ stalled: "to_client" });
  const heard = once(line.served[0] ?? socket, "data");
  socket.write("two");
  expect(String(await heard)).toBe("two");
  line.proxy.disturb({ stalled: "both" });
  socket.write(" three");
  line.proxy.disturb();
  let text = "";
  while (text.length < "two three".length) text += await read(socket);
  expect(text).toBe("TWO THREE");
});

test("a half-open connection is taken up and never answered", async () => {
  await using line = await openLine();
  line.proxy.disturb({ newcomers: "silent" });
  const socket = await line.dial();
  socket.write("hello");
  line.proxy.disturb();
  const other = await line.dial();
  other.write("other");
  expect(await read(other)).toBe("OTHER");
  expect([socket.bytesRead, socket.destroyed, line.served.length]).toEqual([0, false, 1]);
});

test("newcomers can be cut while those who are there are served", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  socket.write("one");
  await read(socket);
  line.proxy.disturb({ newcomers: "cut" });
  const late = connect(line.proxy.port, "127.0.0.1");
  late.on("error", () => {});
  await untilClosed(late);
  socket.write("two");
  expect(await read(socket)).toBe("TWO");
});

test("a connection can be cut on the server's side alone: the client hears nothing of it", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  socket.write("hello");
  await read(socket);
  const left = untilClosed(line.served[0]);
  line.proxy.cutServerSide();
  await left;
  socket.write("anybody?");
  expect([socket.destroyed, line.proxy.openCount()]).toEqual([false, 1]);
});

test("a connection is cut after so many bytes, in the middle of a message", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  line.proxy.disturb({ cutAfter: { direction: "to_client", bytes: 7 } });
  const all = readAll(socket);
  socket.write("hello world");
  expect(await all).toBe("HELLO W");
});

test("delayed and slow bytes keep their order", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  line.proxy.disturb({ delayMs: 5, bytesPerSecond: 20_000 });
  for (let no = 0; no < 50; no++) socket.write(`${no},`);
  const sent = Array.from({ length: 50 }, (_, no) => `${no},`).join("");
  let text = "";
  while (text.length < sent.length) text += await read(socket);
  expect(text).toBe(sent);
});

test("while nothing comes through, nobody hears that the other side is gone", async () => {
  await using line = await openLine();
  const socket = await line.dial();
  socket.write("hello");
  await read(socket);
  const [served] = line.served;
  line.proxy.disturb({ stalled: "both" });
  socket.destroy();
  await untilClosed(socket);
  // Somebody else came and went meanwhile.
  line.proxy.disturb({ stalled: "both", newcomers: "silent" });
  const other = await line.dial();
  other.destroy();
  await untilClosed(other);
  expect(served?.closed).toBe(false);
  const closed = untilClosed(served);
  line.proxy.disturb();
  await closed;
});

test("one connection can be silent while the others are not", async () => {
  await using line = await openLine();
  const [one, other] = [await line.dial(), await line.dial()];
  one.write("one");
  other.write("other");
  await Promise.all([read(one), read(other)]);
  const [first] = line.served;
  line.proxy.disturbOne(first?.remotePort ?? 0, { stalled: "to_client" });
  const heard = once(first ?? one, "data");
  const answers: string[] = [];
  one.on("data", (bytes) => void answers.push(String(bytes)));
  one.write("lost");
  await heard;
  other.write("found");
  expect(await read(other)).toBe("FOUND");
  expect(answers).toEqual([]);
});
