// A network between a program and a server that a test can disturb: slow, cut, silent. Bytes keep their order, and what is
// disturbed is said once for all connections, those that are open and those to come.

import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export type Direction = "to_server" | "to_client";

type Disturbance = {
  /** Every byte comes so much later. */
  readonly delayMs?: number;
  readonly bytesPerSecond?: number;
  /** Nothing comes through in these directions, not even that the other side is gone, and nothing is lost: it goes on when
   *  that is over. */
  readonly stalled?: "both" | Direction;
  /** What becomes of new connections: they are taken up and never answered, or cut at once. */
  readonly newcomers?: "silent" | "cut";
  /** A connection is cut when so many more bytes have gone this way, counted from now; in the middle of a message, if it
   *  falls there. */
  readonly cutAfter?: { readonly direction: Direction; readonly bytes: number };
};

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** An address of the server, with the proxy in place of its host and port. */
  through(address: string): string;
  /** In place of what was said before; nothing: bytes come through as they are. */
  disturb(disturbance?: Disturbance): void;
  /** Only the connection that the server sees come from this port, until `disturb` is called. */
  disturbOne(port: number, disturbance: Disturbance): void;
  /** Cuts every open connection, with a reset to both sides. */
  cut(): void;
  /** Cuts every open connection on the server's side: the client hears nothing of it. */
  cutServerSide(): void;
  /** How many connections are open on the client's side. */
  openCount(): number;
  /** How many there ever were. */
  acceptedCount(): number;
  close(): Promise<void>;
}

type Target = { readonly host: string; readonly port: number };

/** `await using proxy = await openTcpProxy("postgres://…")`: to the host and port of that address. */
export async function openTcpProxy(address: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(address);
  const proxy = new Proxying({ host: hostname, port: Number(port === "" ? "5432" : port) });
  await proxy.open();
  return proxy;
}

class Proxying implements TcpProxy {
  readonly #target: Target;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #accepted = 0;
  #disturbance: Disturbance = {};

  constructor(target: Target) {
    this.#target = target;
    this.#server = createServer({ noDelay: true }, (client) => this.#accept(client));
  }

  async open(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get port(): number {
    const address = this.#server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  through(address: string): string {
    const url = new URL(address);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  disturb(disturbance: Disturbance = {}): void {
    this.#disturbance = disturbance;
    for (const link of this.#links) link.disturb(disturbance);
  }

  disturbOne(port: number, disturbance: Disturbance): void {
    for (const link of this.#links) if (link.serverSidePort === port) link.disturb(disturbance);
  }

  cut(): void {
    for (const link of this.#links) link.cut();
  }

  cutServerSide(): void {
    for (const link of this.#links) link.cutServerSide();
  }

  openCount(): number {
    return [...this.#links].filter(({ isClientGone }) => !isClientGone).length;
  }

  acceptedCount(): number {
    return this.#accepted;
  }

  async close(): Promise<void> {
    this.cut();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #accept(client: Socket): void {
    this.#accepted += 1;
    const { newcomers } = this.#disturbance;
    if (newcomers === "cut") {
      client.resetAndDestroy();
      return;
    }
    const server = newcomers === "silent" ? null : connect({ ...this.#target, noDelay: true });
    const link = new Link(client, server, this.#disturbance);
    this.#links.add(link);
    const forget = (): void => {
      if (client.closed && (server === null || server.closed)) this.#links.delete(link);
    };
    client.on("close", forget);
    server?.on("close", forget);
  }
}

/** One connection. States: linked to the server, or silent (no server behind it), until the client's side closes; when the
 *  way to the server is stalled then, the server's side stays open until it no longer is. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket | null;
  readonly #lanes: readonly Lane[];
  #disturbance: Disturbance;

  constructor(client: Socket, server: Socket | null, disturbance: Disturbance) {
    this.#client = client;
    this.#server = server;
    this.#disturbance = disturbance;
    // What a cut does to a socket is no error of ours.
    client.on("error", () => {});
    server?.on("error", () => {});
    const cut = (): void => this.cut();
    if (server === null) {
      client.resume();
      this.#lanes = [];
      return;
    }
    this.#lanes = [
      new Lane({ direction: "to_server", from: client, to: server, disturbance, cut }),
      new Lane({ direction: "to_client", from: server, to: client, disturbance, cut }),
    ];
    client.on("close", () => this.#tellServer());
  }

  get isClientGone(): boolean {
    return this.#client.destroyed;
  }

  get serverSidePort(): number | undefined {
    return this.#server?.localPort;
  }

  disturb(disturbance: Disturbance): void {
    this.#disturbance = disturbance;
    for (const lane of this.#lanes) lane.disturb(disturbance);
    this.#tellServer();
  }

  cut(): void {
    for (const lane of this.#lanes) lane.drop();
    this.#client.resetAndDestroy();
    this.#server?.resetAndDestroy();
  }

  cutServerSide(): void {
    for (const lane of this.#lanes) lane.drop();
    this.#server?.resetAndDestroy();
    this.#client.resume();
  }

  #tellServer(): void {
    const { stalled } = this.#disturbance;
    const isStalled = stalled === "both" || stalled === "to_server";
    if (this.isClientGone && !isStalled) this.#server?.destroy();
  }
}

type LaneParts = {
  readonly direction: Direction;
  readonly from: Socket;
  readonly to: Socket;
  readonly disturbance: Disturbance;
  readonly cut: () => void;
};

/** null: the other side has ended what it sends. */
type Parcel = { readonly bytes: Buffer | null; readonly arrivedAt: number };

/** One direction of a connection: what came in waits here until it may go on. */
class Lane {
  readonly #parts: LaneParts;
  readonly #queue: Parcel[] = [];
  #disturbance: Disturbance;
  #leftBytes: number;
  /** Before this instant the line is busy with what went before. */
  #freeAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isDropped = false;
  /** Its beginning was reset: so is its end, as soon as that can be told. */
  #hasFailed = false;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.#disturbance = parts.disturbance;
    this.#leftBytes = this.#countLeft();
    const take = (bytes: Buffer | null): void => {
      if (this.#isDropped) return;
      this.#queue.push({ bytes, arrivedAt: performance.now() });
      this.#move();
    };
    parts.from.on("data", take);
    parts.from.on("end", () => take(null));
    parts.from.on("error", () => {
      this.#hasFailed = true;
      this.#move();
    });
  }

  disturb(disturbance: Disturbance): void {
    this.#disturbance = disturbance;
    this.#leftBytes = this.#countLeft();
    this.#move();
  }

  drop(): void {
    this.#isDropped = true;
    this.#queue.length = 0;
    clearTimeout(this.#timer);
  }

  #countLeft(): number {
    const { cutAfter } = this.#disturbance;
    return cutAfter?.direction === this.#parts.direction ? cutAfter.bytes : Number.POSITIVE_INFINITY;
  }

  #isStalled(): boolean {
    const { stalled } = this.#disturbance;
    return stalled === "both" || stalled === this.#parts.direction;
  }

  #move(): void {
    clearTimeout(this.#timer);
    if (this.#isDropped || this.#isStalled()) return;
    if (this.#hasFailed) return this.#parts.cut();
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const waitMs = Math.max(next.arrivedAt + (this.#disturbance.delayMs ?? 0), this.#freeAt) - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#move(), waitMs);
        return;
      }
      this.#queue.shift();
      this.#send(next.bytes);
    }
  }

  #send(bytes: Buffer | null): void {
    const { to, cut } = this.#parts;
    if (bytes === null) {
      to.end();
      return;
    }
    const { bytesPerSecond = Number.POSITIVE_INFINITY } = this.#disturbance;
    this.#freeAt = performance.now() + (bytes.length / bytesPerSecond) * 1000;
    if (bytes.length < this.#leftBytes) {
      this.#leftBytes -= bytes.length;
      to.write(bytes);
      return;
    }
    // The other side gets to see the part before the cut.
    if (this.#leftBytes > 0) to.write(bytes.subarray(0, this.#leftBytes), () => cut());
    else cut();
    this.drop();
  }
}
