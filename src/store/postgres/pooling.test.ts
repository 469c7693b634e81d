import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/postgres.ts";
import { openSettings, refusePooling } from "./connection.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database.drop();
});

/** Messages of the protocol, one by one: a letter, a length and the rest. */
function* cut(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from + 5 <= bytes.length;) {
    const end = from + 1 + bytes.readInt32BE(from + 1);
    if (end > bytes.length) return;
    yield bytes.subarray(from, end);
    from = end;
  }
}

function letterOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}

/** Reads whole messages; what is left over waits for the rest. */
function onMessages(socket: Socket, listener: (message: Buffer) => void): void {
  let left: Buffer = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    left = Buffer.concat([left, typeof bytes === "string" ? Buffer.from(bytes) : bytes]);
    for (const message of cut(left)) {
      left = left.subarray(message.length);
      listener(message);
    }
  });
}

/** Gives each of its clients the one session that it has, from one question to the next. */
async function openPooler(): Promise<string> {
  const client = new Client({ connectionString: database.url });
  client.on("error", () => {});
  await client.connect();
  const upstream = client.connection.stream as Socket;
  upstream.removeAllListeners("data");
  const waiting: { readonly from: Socket; readonly bytes: Buffer }[] = [];
  let served: Socket | undefined;
  const serveNext = (): void => {
    const next = served === undefined ? waiting.shift() : undefined;
    if (next === undefined) return;
    served = next.from;
    upstream.write(next.bytes);
  };
  onMessages(upstream, (message) => {
    served?.write(message);
    if (letterOf(message) !== "Z") return;
    served = undefined;
    serveNext();
  });
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      let asked: Buffer[] = [];
      onMessages(socket, (message) => {
        asked.push(Buffer.from(message));
        if (letterOf(message) !== "S" && letterOf(message) !== "Q") return;
        waiting.push({ from: socket, bytes: Buffer.concat(asked) });
        asked = [];
        serveNext();
      });
      // "You are who you say you are", and "ask".
      socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    upstream.destroy();
    server.close();
  });
  const address = server.address();
  const url = new URL(database.url);
  url.host = `127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  return url.href;
}

describe("an address", () => {
  it("P6: of a pooler that shares its sessions is refused, with what to do", async () => {
    const settings = openSettings(await openPooler());
    const problem = await refusePooling(settings).catch((error: unknown) => error);
    expect(problem).toMatchObject({ code: "STORE_POOLED" });
    expect(String(problem)).toContain("session mode");
  });

  it("of a server is taken", async () => {
    await expect(refusePooling(openSettings(database.url))).resolves.toBeUndefined();
  });
});
