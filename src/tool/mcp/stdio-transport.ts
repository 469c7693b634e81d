// A server that is a program of this machine: one JSON message a line, over its standard input and output.
//
// new → running (spawned) → over. It is over when the program ends, when it is closed, or when it says what no server may
// say; then nothing more is heard of it, and its process group is gone within four seconds. The program runs in a
// group of its own, without a shell, with a small environment.

import { isUtf8 } from "node:buffer";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { LiveSet } from "../../live-map.ts";
import type { StdioTarget } from "./contract.ts";
import type { LastWords } from "./last-words.ts";
import { LineQueue } from "./line-queue.ts";
import { LineReader, type Line } from "./line-reader.ts";
import type { LinkClock } from "./link-clock.ts";
import { answerInstead, LinkProblem } from "./link-problem.ts";
import { RateCap, unaskedMax } from "./rate-cap.ts";
import { withoutInvisible } from "./shown-text.ts";
import { hasTooManyValues } from "./value-count.ts";
import { admit, messageBytesMax, readMessage, tooLarge, type Incoming } from "./wire.ts";
import { sayUnstarted } from "./unstarted.ts";

/** How long a program may take to notice that its input has ended, and then that it was asked to go. */
const graceMs = 2000;
const strayInARowMax = 1000;
/** Of a line that is no message. */
const shownLength = 200;
const strayLengthMax = 8192;
const brace = 123;
/** A pipe that gives so much at once has more. */
const fullChunk = 32 * 1024;
/** What may wait for a program that does not read. */
const unreadBytesMax = 16 * 1024 * 1024;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Is shown each message first. */
export interface Aside {
  /** `taken`: nobody else hears of it; `stray`: the same, and it answers nothing that is open. */
  take(message: JSONRPCMessage): "taken" | "stray" | "for_others";
  /** Its requests that have no answer yet. */
  readonly pending: Iterable<RequestId>;
}

export type StdioParts = {
  readonly target: StdioTarget;
  readonly clock: LinkClock;
  readonly groups: { add(group: number): void; remove(group: number): void };
  /** Hides what was filled into the configuration. */
  readonly hide: (text: string) => string;
  /** What it writes beside messages. */
  readonly words: LastWords;
  /** A line that is no message; told once. */
  readonly onStray: (line: string) => void;
};

export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  /** What has requests of its own on this pipe. */
  aside?: Aside | undefined;
  /** By this and `pid` the SDK tells a program from an address. */
  readonly stderr: null = null;
  readonly #parts: StdioParts;
  readonly #lines = new LineReader(messageBytesMax);
  readonly #unread = new LineQueue((line) => {
    this.#isPassed = false;
    this.#read(line);
    return this.#isPassed;
  });
  readonly #pending = new LiveSet<RequestId>();
  readonly #cap: RateCap;
  #child: Child | null = null;
  #isOver = false;
  #isGone = false;
  #problem: LinkProblem | null = null;
  #outbox = "";
  /** The message that was read last has gone to the SDK. */
  #isPassed = false;
  #strayLines = 0;
  #strayInARow = 0;
  #isStrayTold = false;
  #whenGone: (() => void)[] = [];
  #whenDrained: (() => void)[] = [];

  constructor(parts: StdioParts) {
    this.#parts = parts;
    this.#cap = new RateCap(unaskedMax, parts.clock);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get strayLines(): number {
    return this.#strayLines;
  }

  /** Messages that came too fast and were left out. */
  get droppedMessages(): number {
    return this.#cap.dropped;
  }

  /** Why it is over; null: it is not, or somebody wanted it. */
  get problem(): LinkProblem | null {
    return this.#problem;
  }

  start(): Promise<void> {
    const { target, hide } = this.#parts;
    const { command, args, env, cwd } = target;
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown): void => {
        const why = sayUnstarted(error, target, hide);
        this.#problem ??= new LinkProblem("tool_server_unavailable", `Its program cannot be started${why}.`);
        this.#isGone = this.#child?.pid === undefined;
        this.#end();
        reject(this.#problem);
      };
      try {
        const child = spawn(command, args, {
          env: { ...getDefaultEnvironment(), ...env },
          stdio: ["pipe", "pipe", "pipe"],
          detached: process.platform !== "win32",
          windowsHide: true,
          ...(cwd === null ? {} : { cwd }),
        });
        this.#child = child;
        if (child.pid !== undefined) this.#parts.groups.add(child.pid);
        child.on("error", refuse);
        child.once("spawn", resolve);
        this.#listen(child);
      } catch (error) {
        refuse(error);
      }
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && "method" in message && message.id !== undefined) this.#pending.add(message.id);
    return this.say(JSON.stringify(message)) ?? Promise.resolve();
  }

  /** The same for whoever knows its own requests, with a promise only when it has to wait, or cannot be said. */
  say(text: string): Promise<void> | undefined {
    const stdin = this.#child?.stdin;
    if (this.#isOver || stdin?.writable !== true) {
      return Promise.reject(this.#problem ?? new LinkProblem("tool_server_unavailable", "Its program has ended."));
    }
    if (this.#outbox === "") process.nextTick(() => this.#post());
    this.#outbox += `${text}\n`;
    if (!stdin.writableNeedDrain) return undefined;
    if (stdin.writableLength > unreadBytesMax) this.#break("It does not read what it is sent.");
    return new Promise((resolve) => void this.#whenDrained.push(resolve));
  }

  /** Its input ends; two seconds later it is asked to go, and after two more it is killed. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#post();
    this.#end();
    if (child === null || this.#isGone) return;
    child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await this.#isGoneWithin(graceMs)) return;
      this.#signal(signal);
    }
    await this.#isGoneWithin(graceMs);
  }

  /** At once, for a reason. */
  kill(problem: LinkProblem): void {
    this.#problem ??= problem;
    this.#signal("SIGKILL");
    this.#child?.stdout.destroy();
    this.#end();
  }

  /** What was said in one turn goes out together: a pipe takes as long for one message as for many. */
  #post(): void {
    const said = this.#outbox;
    this.#outbox = "";
    if (said !== "" && this.#child?.stdin.writable === true) this.#child.stdin.write(said);
  }

  #listen(child: Child): void {
    child.stdout.on("data", (chunk: Buffer) => this.#take(child, chunk));
    child.stderr.on("data", (chunk: Buffer) => this.#parts.words.add(chunk.toString()));
    child.stdin.on("drain", () => this.#drained());
    // A pipe that breaks: the program has ended, and `exit` says how.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => {});
    child.once("exit", (code, signal) => {
      // What it has started itself goes with it, and lets go of the pipes.
      this.#signal("SIGKILL");
      this.#isGone = true;
      if (child.pid !== undefined) this.#parts.groups.remove(child.pid);
      for (const tell of this.#whenGone.splice(0)) tell();
      if (this.#isOver) return;
      // What it said last may still be in the pipe; somebody who has left its group may hold that open.
      const finish = (): void => this.#exited(code, signal);
      const timer = this.#parts.clock.after(graceMs, finish);
      child.once("close", () => {
        timer.cancel();
        finish();
      });
    });
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#isOver) return;
    const how = code === null ? `was ended by ${signal ?? "a signal"}` : `has ended with code ${code}`;
    const words = this.#parts.words.text;
    const last = words === null ? "" : ` Its last words: ${words}`;
    this.#problem ??= new LinkProblem("tool_server_exited", `Its program ${how}.${last}`);
    this.#child?.stdout.destroy();
    this.#end();
  }

  /** Where there is more, everybody else has a turn in between. */
  #take(child: Child, chunk: Buffer): void {
    const isFull = chunk.length >= fullChunk;
    if (isFull) child.stdout.pause();
    this.#unread.add(this.#lines.read(chunk));
    if (isFull) setImmediate(() => child.stdout.resume());
  }

  #read(line: Line): void {
    switch (line.kind) {
      case "too_long":
        return this.#refuseLine(line.head);
      case "text":
        // Far too short to hold too many values.
        return this.#readText(line.text, true);
      case "line": {
        const { bytes } = line;
        if (!mayBeMessage(bytes.toString("latin1", 0, shownLength))) return this.#stray(textIn(bytes));
        if (hasTooManyValues(bytes)) return this.#refuseValues(bytes);
        return this.#readText(bytes.toString(), isUtf8(bytes));
      }
    }
  }

  #readText(text: string, isText: boolean): void {
    const incoming = mayBeMessage(text) ? parse(text) : undefined;
    if (incoming === undefined) return this.#stray(text);
    this.#strayInARow = 0;
    if (incoming.kind === "response") return this.#respond(incoming, { length: text.length, isText });
    const isListChange = incoming.kind === "notification" && incoming.method === "notifications/tools/list_changed";
    const message = admit(incoming, text.length);
    if (message === undefined) return this.#stray(text);
    const pass = (): void => {
      if (!this.#isOver) this.#pass(message);
    };
    // Of a change that came too fast one is told later: it must not be missed.
    this.#cap.pass(pass, isListChange ? "at_last" : "never");
  }

  /** To what was not asked, or was answered already, nobody listens. */
  #respond(
    incoming: Extract<Incoming, { kind: "response" }>,
    { length, isText }: { readonly length: number; readonly isText: boolean },
  ): void {
    const message = isText ? admit(incoming, length) : answerInstead(incoming.id, noText());
    if (message !== undefined) this.#answer(incoming.id, message);
  }

  #answer(id: RequestId, message: JSONRPCMessage): void {
    const taken = this.aside?.take(message) ?? "for_others";
    if (taken === "for_others" && this.#pending.delete(id)) this.#passOn(message);
    else if (taken !== "taken") this.#strayLines += 1;
  }

  #pass(message: JSONRPCMessage): void {
    if ((this.aside?.take(message) ?? "for_others") === "for_others") this.#passOn(message);
  }

  #passOn(message: JSONRPCMessage): void {
    this.#isPassed = true;
    this.onmessage?.(message);
  }

  /** What is no text is left out of it. */
  #stray(text: string): void {
    if (text === "") return;
    this.#strayLines += 1;
    this.#strayInARow += 1;
    // Hidden before it is cut: a part of a value is one too.
    if (!this.#isStrayTold) this.#parts.onStray(this.#parts.hide(withoutInvisible(headOf(text))).slice(0, shownLength));
    this.#isStrayTold = true;
    if (this.#strayInARow >= strayInARowMax)
      this.#break(`It wrote ${strayInARowMax} lines in a row that are no messages.`);
  }

  /** Whose answer it was is told apart, where it can be seen: that call is over, and need not be doubted. */
  #refuseLine(head: Buffer): void {
    const said = `It wrote a line of more than ${messageBytesMax} bytes.`;
    const named = /"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/.exec(head.toString("latin1"))?.[1];
    this.#refuse(new LinkProblem("result_too_large", said), Number(named ?? Number.NaN));
  }

  /** The line is complete: where it says whose answer it is, the others go on. */
  #refuseValues(bytes: Buffer): void {
    const id = idAround(bytes);
    const problem = tooLarge("values");
    if (id === undefined) return this.#refuse(problem);
    this.#answer(id, answerInstead(id, problem));
  }

  #refuse(problem: LinkProblem, named?: number): void {
    const pending = [...this.#pending, ...(this.aside?.pending ?? [])];
    const [only, ...others] = pending;
    const isNamed = named !== undefined && !Number.isNaN(named);
    const asked = isNamed ? pending.find((id) => id === named) : others.length === 0 ? only : undefined;
    if (asked !== undefined) this.#answer(asked, answerInstead(asked, problem));
    this.#break(problem.message);
  }

  #break(said: string): void {
    this.kill(new LinkProblem("tool_server_unavailable", `${said} Its program was ended.`));
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unread.clear();
    this.#cap.stop();
    this.#drained();
    this.onclose?.();
  }

  #drained(): void {
    for (const tell of this.#whenDrained.splice(0)) tell();
  }

  #isGoneWithin(delayMs: number): Promise<boolean> {
    if (this.#isGone) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = this.#parts.clock.after(delayMs, () => resolve(this.#isGone));
      this.#whenGone.push(() => {
        timer.cancel();
        resolve(true);
      });
    });
  }

  /** The whole group; what has ended already needs none. */
  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child?.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nobody is left in it.
    }
  }
}

function noText(): LinkProblem {
  return new LinkProblem("bad_result", "It answered with bytes that are no text.");
}

/** What cannot be an object is not even made a text: it may be megabytes of nothing. */
function mayBeMessage(text: string): boolean {
  return text.charCodeAt(0) === brace || /^\s*\{/.test(text.slice(0, shownLength));
}

function textIn(bytes: Buffer): string {
  return bytes.toString("utf8", 0, strayLengthMax);
}

/** By way of its bytes: a part of a text keeps the whole of it in memory. */
function headOf(text: string): string {
  return textIn(Buffer.from(text.slice(0, strayLengthMax)));
}

function parse(text: string): Incoming | undefined {
  try {
    return readMessage(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Of an answer that is not read. Servers write it before all else or after it, and nothing that is inside of the answer
 *  can stand there. */
function idAround(bytes: Buffer): number | undefined {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"/;
  const outcome = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
  const last = /"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
  const head = bytes.toString("latin1", 0, shownLength);
  const tail = bytes.toString("latin1", bytes.length - shownLength);
  const found = first.exec(head) ?? (outcome.test(head) ? last.exec(tail) : null);
  return found === null ? undefined : Number(found[1]);
}
