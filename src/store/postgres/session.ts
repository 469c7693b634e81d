// One session on the server. `pg` connects, proves who we are and speaks the protocol; what is asked and what is
// answered is kept here, so that much can be under way at once: an exchange is written as a whole when it is asked for,
// and answers come in the same order.
//
// Statements of one exchange are one transaction without a `begin`: all of them count when the server says that it is
// ready again, or none does.

import { Socket } from "node:net";
import { Client, type ClientConfig, type Connection } from "pg";
import type { StoredValue } from "../columns/row.ts";
import { readClocks, sinceMs, type Clocks } from "./clocks.ts";

/** A list of values goes as an array, a buffer as it is: in the binary form of its type. */
export type Bound = string | number | boolean | null | Buffer | readonly (string | number | null)[];

export type Statement = {
  /** Of all sessions the same name for the same text; it is prepared once for each session. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly Bound[];
};

export type Rows = readonly (readonly StoredValue[])[];

export type Notification = { readonly channel: string; readonly payload: string };

/** The session is over, or never was; what it had not answered is unknown. */
export class SessionError extends Error {
  override readonly name = "SessionError";
}

type Exchange = {
  readonly sentAt: Clocks;
  /** Names that are prepared when all went well. */
  readonly prepares: readonly string[];
  readonly resolve: (answers: readonly Rows[]) => void;
  readonly reject: (error: unknown) => void;
  readonly answers: StoredValue[][][];
  rows: StoredValue[][];
  parsers: readonly (Parser | undefined)[];
  failure: Error | undefined;
};

type Parser = (text: string) => StoredValue;

/** By the numbers that the server gives its types; all else stays text. */
const parsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [16, (text) => text === "t"],
  [20, Number],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
]);

/** Events of the connection that `pg`'s client would answer itself. */
const takenOver = [
  "parseComplete",
  "rowDescription",
  "dataRow",
  "portalSuspended",
  "commandComplete",
  "emptyQuery",
  "errorMessage",
  "readyForQuery",
];

export type SessionOptions = {
  /** Without an answer for so long the session is given up. */
  readonly answerWithinMs: number;
};

/** Alive from `connect` until it ends by itself or by `end`; it never throws out of band. */
export class Session {
  readonly #client: Client;
  readonly #answerWithinMs: number;
  readonly #prepared = new Set<string>();
  readonly #waiting: Exchange[] = [];
  readonly #endListeners = new Set<(reason: Error) => void>();
  readonly #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #onNotification: (notification: Notification) => void = () => {};
  #deadline: NodeJS.Timeout | undefined;
  #heardOfAt: Clocks = readClocks();
  #reason: Error | undefined;

  private constructor(client: Client, { answerWithinMs }: SessionOptions) {
    this.#client = client;
    this.#answerWithinMs = answerWithinMs;
    this.#listen();
    // An open session keeps no process alive; what waits for an answer does, by its deadline.
    const { stream } = client.connection;
    if (stream instanceof Socket) stream.unref();
  }

  /** Rejects with what the server or the system says. */
  static async connect(config: ClientConfig, options: SessionOptions): Promise<Session> {
    const client = new Client(config);
    // An error while connecting rejects; one that comes later must not end the process.
    client.on("error", () => {});
    await client.connect();
    return new Session(client, options);
  }

  /** How long ago the newest exchange was sent that was answered. */
  get silentMs(): number {
    return sinceMs(this.#heardOfAt);
  }

  get isOpen(): boolean {
    return this.#reason === undefined;
  }

  get underWay(): number {
    return this.#waiting.length;
  }

  /** One statement that is not worth preparing. */
  async query(text: string, values: readonly Bound[] = []): Promise<Rows> {
    const [rows = []] = await this.pipeline([{ name: "", text, values }]);
    return rows;
  }

  /** Several statements as one text, without values; one transaction, unless the text says otherwise. */
  async run(text: string): Promise<readonly Rows[]> {
    return this.#exchange([], ({ connection }) => connection.query(text));
  }

  /** All at once, in one transaction; the rows of each. */
  async pipeline(statements: readonly Statement[]): Promise<readonly Rows[]> {
    const unprepared = statements.filter(({ name }) => !this.#prepared.has(name));
    return this.#exchange(
      unprepared.map(({ name }) => name),
      ({ connection }) => {
        for (const statement of statements) {
          if (!this.#prepared.has(statement.name)) writeParse(connection, statement);
          writeBind(connection, statement);
          connection.describe({ type: "P" }, true);
          connection.execute(null, true);
        }
        connection.sync();
      },
    );
  }

  /** Statements that give nothing back; one transaction. */
  async write(statements: readonly Statement[]): Promise<void> {
    const unprepared = statements.filter(({ name }) => !this.#prepared.has(name));
    await this.#exchange(
      unprepared.map(({ name }) => name),
      ({ connection }) => {
        for (const statement of statements) {
          if (!this.#prepared.has(statement.name)) writeParse(connection, statement);
          writeBind(connection, statement);
          connection.execute(null, true);
        }
        connection.sync();
      },
    );
  }

  onNotification(listener: (notification: Notification) => void): void {
    this.#onNotification = listener;
  }

  /** Called once; at once, when it has ended already. */
  onEnd(listener: (reason: Error) => void): void {
    if (this.#reason === undefined) this.#endListeners.add(listener);
    else listener(this.#reason);
  }

  /** Waits for what is under way, though no longer than this. */
  async end(withinMs: number = this.#answerWithinMs): Promise<void> {
    if (this.#reason !== undefined) return;
    const over = new SessionError("The session was ended.");
    const timer = setTimeout(() => this.destroy(over), withinMs);
    try {
      // What comes before it is answered before it.
      if (this.#waiting.length > 0) await this.#exchange([], ({ connection }) => connection.sync());
      const { stream } = this.#client.connection;
      if (stream instanceof Socket) stream.ref();
      this.#client.end(() => {});
      this.#finish(over);
      // A server that says goodbye does it at once; nobody waits for one that does not.
      timer.refresh();
    } catch {
      // It has ended otherwise.
    }
    await this.#ended.promise;
    clearTimeout(timer);
  }

  /** At once: nothing more is heard of it, whatever the network does. */
  destroy(reason: Error): void {
    this.#client.connection.stream.destroy();
    this.#finish(reason);
    this.#ended.resolve();
  }

  #exchange(prepares: readonly string[], write: (client: Client) => void): Promise<readonly Rows[]> {
    if (this.#reason !== undefined) return Promise.reject(toSessionError(this.#reason));
    const { promise, resolve, reject } = Promise.withResolvers<readonly Rows[]>();
    const { stream } = this.#client.connection;
    stream.cork();
    try {
      write(this.#client);
    } catch (error) {
      // Half an exchange is on its way: the rest of the session would answer to the wrong ones.
      this.destroy(new SessionError(`A statement could not be written: ${String(error)}`, { cause: error }));
      return Promise.reject(toSessionError(error));
    } finally {
      stream.uncork();
    }
    const sentAt = readClocks();
    const answer = { answers: [], rows: [], parsers: [], failure: undefined };
    this.#waiting.push({ sentAt, prepares, resolve, reject, ...answer });
    this.#deadline ??= this.#startDeadline(this.#answerWithinMs);
    this.#deadline.ref();
    return promise;
  }

  #listen(): void {
    const { connection } = this.#client;
    for (const event of takenOver) connection.removeAllListeners(event);
    connection.on("rowDescription", (message: RowDescription) => {
      const [exchange] = this.#waiting;
      if (exchange !== undefined) exchange.parsers = message.fields.map(({ dataTypeID }) => parsers.get(dataTypeID));
    });
    connection.on("dataRow", (message: DataRow) => {
      const [exchange] = this.#waiting;
      exchange?.rows.push(message.fields.map((text, index) => parse(text, exchange.parsers[index])));
    });
    const complete = (): void => {
      const [exchange] = this.#waiting;
      if (exchange === undefined) return;
      exchange.answers.push(exchange.rows);
      exchange.rows = [];
      exchange.parsers = [];
    };
    connection.on("commandComplete", complete);
    connection.on("emptyQuery", complete);
    connection.on("errorMessage", (error: Error) => {
      const [exchange] = this.#waiting;
      // Without a question it is the last word of the server: why it ends the session.
      if (exchange === undefined) this.#finish(error);
      else exchange.failure ??= error;
    });
    connection.on("readyForQuery", () => this.#answer());
    this.#client.on("notice", ({ routine, message }) => {
      const [exchange] = this.#waiting;
      // It is on this server's disk, and nobody knows whether it is where it should be as well.
      if (exchange !== undefined && routine === "SyncRepWaitForLSN")
        exchange.failure ??= new SessionError(message ?? "The standby was not waited for.");
    });
    this.#client.on("notification", ({ channel, payload = "" }) => this.#onNotification({ channel, payload }));
    this.#client.on("error", (error) => this.#finish(error));
    this.#client.on("end", () => {
      this.#finish(new SessionError("The server ended the session."));
      this.#ended.resolve();
    });
  }

  #answer(): void {
    const exchange = this.#waiting.shift();
    if (exchange === undefined) return;
    this.#heardOfAt = exchange.sentAt;
    if (this.#waiting.length === 0) this.#deadline?.unref();
    if (exchange.failure !== undefined) return exchange.reject(exchange.failure);
    for (const name of exchange.prepares) if (name !== "") this.#prepared.add(name);
    exchange.resolve(exchange.answers);
  }

  /** One timer for all that waits: the oldest of it decides. */
  #startDeadline(afterMs: number): NodeJS.Timeout {
    // A process that stood still finds its timers before what has come in meanwhile: that is read first.
    return setTimeout(() => setImmediate(() => this.#checkDeadline()), afterMs);
  }

  #checkDeadline(): void {
    this.#deadline = undefined;
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    const leftMs = oldest.sentAt.monotonic + this.#answerWithinMs - performance.now();
    if (leftMs > 0) this.#deadline = this.#startDeadline(leftMs);
    else this.destroy(new SessionError(`The server did not answer within ${this.#answerWithinMs} ms.`));
  }

  #finish(reason: Error): void {
    if (this.#reason !== undefined) return;
    // What the server said last tells more than that the line is dead.
    const last = this.#waiting[0]?.failure ?? reason;
    this.#reason = last;
    clearTimeout(this.#deadline);
    for (const { reject } of this.#waiting.splice(0)) reject(toSessionError(last));
    for (const listener of this.#endListeners) listener(last);
    this.#endListeners.clear();
  }
}

type RowDescription = { readonly fields: readonly { readonly dataTypeID: number }[] };
type DataRow = { readonly fields: readonly (string | null)[] };

function parse(text: string | null, parser: Parser | undefined): StoredValue {
  return text === null || parser === undefined ? text : parser(text);
}

/** Whatever ended it: what was asked of the session has no answer. */
function toSessionError(reason: unknown): SessionError {
  if (reason instanceof SessionError) return reason;
  return new SessionError(reason instanceof Error ? reason.message : String(reason), { cause: reason });
}

/** What is there under this name is closed first: an exchange that failed may have left it. */
function writeParse(connection: Connection, { name, text }: Omit<Statement, "values">): void {
  if (name !== "") connection.close({ type: "S", name }, true);
  connection.parse({ name, text, types: [] }, true);
}

function writeBind(connection: Connection, { name, values }: Omit<Statement, "text">): void {
  connection.bind({ statement: name, values: values.map(toWire) }, true);
}

function toWire(value: Bound): Buffer | string | null {
  if (value === null || typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (typeof value === "object") return toArrayText(value);
  return String(value);
}

function toArrayText(list: readonly (string | number | null)[]): string {
  return `{${list.map(toElement).join(",")}}`;
}

function toElement(value: string | number | null): string {
  if (value === null) return "null";
  return typeof value === "number" ? String(value) : `"${value.replaceAll(/["\\]/gu, "\\$&")}"`;
}
