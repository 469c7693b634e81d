// Writers of batches, on this thread or on one of their own. A thread keeps the process alive only while something is
// under way; when it dies, nobody knows what became of what it was given.

import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { StepwellError, type ErrorCode } from "../../error.ts";
import type { Batch, Committed, Durability } from "../store.ts";
import { flattenBatch, type FlatBatch } from "../columns/batch.ts";
import { packBatch, type PackedBatch } from "./packed.ts";
import { createStatements, maintain, writeFlat, type MaintenanceTask } from "./writer.ts";

export interface Writer {
  /** Answers in the order of the calls. */
  write(batch: Batch): Promise<Committed>;
  maintain(task: MaintenanceTask): Promise<void>;
  /** Waits for what was handed over. */
  close(): Promise<void>;
}

/** Writes on this thread, before it returns; the connection stays open. */
export type InlineWriter = Writer & { readonly writeNow: (batch: Batch) => Committed };

export function createInlineWriter(database: DatabaseSync): InlineWriter {
  const statements = createStatements(database);
  const writeNow = (batch: Batch): Committed => {
    const flat = tryToFlatten(batch);
    return "kind" in flat ? flat : writeFlat(database, statements, flat);
  };
  return {
    writeNow,
    async write(batch) {
      return writeNow(batch);
    },
    async maintain(task) {
      maintain(database, statements, task);
    },
    async close() {},
  };
}

type Refused = Extract<Committed, { kind: "refused" }>;

/** What has no text or cannot be sent is not on disk for sure. */
function tryToFlatten(batch: Batch): FlatBatch | Refused {
  try {
    return flattenBatch(batch);
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): Refused {
  return { kind: "refused", reason: "constraint", message: error instanceof Error ? error.message : String(error) };
}

export type ThreadTask =
  | { readonly kind: "write"; readonly packed: PackedBatch }
  | { readonly kind: "maintain"; readonly task: MaintenanceTask }
  | { readonly kind: "close" };

export type ThreadAnswer =
  | { readonly kind: "written"; readonly committed: Committed }
  | { readonly kind: "done" }
  /** With the codes that it had, of the library or of SQLite. */
  | {
      readonly kind: "failed";
      readonly message: string;
      readonly errorCode: ErrorCode | null;
      readonly resultCode: number | null;
    };

/** Resolves when the thread has its connection; rejects with what SQLite said, when it cannot have one. */
export async function openThreadWriter(options: {
  readonly path: string;
  readonly durability: Durability;
}): Promise<Writer> {
  const writer = new ThreadWriter(options);
  await writer.opened;
  return writer;
}

/** The source as it is, or what was built of it. */
const threadUrl = new URL(`./writer-thread${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`, import.meta.url);

type Waiting = { readonly settle: (answer: ThreadAnswer) => void };

/** Open, until the thread ends: by `close`, or by itself, and then what waits is settled as unknown. */
class ThreadWriter implements Writer {
  readonly opened: Promise<void>;
  readonly #worker: Worker;
  /** The thread answers in the order in which it is asked. */
  readonly #waiting: Waiting[] = [];
  #end: string | undefined;
  /** The batch that was handed over last. */
  #last: Promise<Committed> = Promise.resolve({ kind: "committed", no: 0 });

  constructor(workerData: { readonly path: string; readonly durability: Durability }) {
    // Flags of the process, such as --input-type, are not for a thread.
    this.#worker = new Worker(threadUrl, { workerData, execArgv: [] });
    this.#worker.on("message", (answer: ThreadAnswer) => this.#take(answer));
    this.#worker.on("error", (error) => this.#die(error instanceof Error ? error.message : String(error)));
    this.#worker.on("exit", (code) => this.#die(`The thread that writes has ended (${code}).`));
    this.opened = this.#done();
  }

  write(batch: Batch): Promise<Committed> {
    this.#last = this.#writeAfter(this.#last, batch);
    return this.#last;
  }

  async #writeAfter(before: Promise<unknown>, batch: Batch): Promise<Committed> {
    if (this.#end !== undefined) return { kind: "unknown", message: this.#end };
    const refused = this.#send(batch);
    if (refused !== undefined) {
      // Refused before the thread has seen it: all the same nobody hears of it before those that were handed over first.
      await before;
      return refused;
    }
    const answer = await this.#answer();
    if (answer.kind === "written") return answer.committed;
    return {
      kind: "unknown",
      message: answer.kind === "failed" ? answer.message : "The thread that writes lost count.",
    };
  }

  #send(batch: Batch): Refused | undefined {
    const flat = tryToFlatten(batch);
    if ("kind" in flat) return flat;
    try {
      this.#worker.postMessage({ kind: "write", packed: packBatch(flat) } satisfies ThreadTask, []);
      return undefined;
    } catch (error) {
      return refuse(error);
    }
  }

  async maintain(task: MaintenanceTask): Promise<void> {
    return this.#ask({ kind: "maintain", task });
  }

  async close(): Promise<void> {
    if (this.#end !== undefined) return;
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    const closed = this.#ask({ kind: "close" });
    // From now on, whatever the thread does first: answer, or end.
    this.#end ??= "The writer is closed.";
    await closed;
    this.#worker.ref();
    await ended;
  }

  async #ask(task: ThreadTask): Promise<void> {
    if (this.#end !== undefined) throw new Error(this.#end);
    this.#worker.postMessage(task, []);
    return this.#done();
  }

  async #done(): Promise<void> {
    const answer = await this.#answer();
    if (answer.kind !== "failed") return;
    const { message, errorCode, resultCode } = answer;
    if (errorCode !== null) throw new StepwellError(errorCode, message);
    throw Object.assign(new Error(message), resultCode === null ? {} : { errcode: resultCode });
  }

  #answer(): Promise<ThreadAnswer> {
    if (this.#waiting.length === 0) this.#worker.ref();
    return new Promise((settle) => this.#waiting.push({ settle }));
  }

  #take(answer: ThreadAnswer): void {
    this.#waiting.shift()?.settle(answer);
    if (this.#waiting.length === 0) this.#worker.unref();
  }

  #die(message: string): void {
    this.#end ??= message;
    const answer = { kind: "failed", message: this.#end, errorCode: null, resultCode: null } as const;
    for (const { settle } of this.#waiting.splice(0)) settle(answer);
  }
}
