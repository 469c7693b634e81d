// The harness's hold on one life of its subject: asks it, hears it, kills it. What it has not answered when it dies is
// answered with undefined: nobody knows whether it happened.

import { spawn, type ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseLine, type Acknowledgement, type Request, type SubjectOptions, type Told } from "./protocol.ts";

export type Launch = {
  /** Put before the command: `strace` and what it needs. */
  readonly wrapper?: readonly string[];
  /** Modules that are loaded first. */
  readonly imports?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };
export type Problem = { readonly code: string; readonly message: string };

const subjectFile = fileURLToPath(new URL("subject.ts", import.meta.url));
/** The subject runs what is built, as people install it; of the harness's own files, what was stripped of its types once
 *  is kept. */
const cache = { NODE_COMPILE_CACHE: join(tmpdir(), "stepwell-crash-compiled") };
const alive = new Set<SubjectProcess>();

export class SubjectProcess {
  readonly spawnedAt: number = Date.now();
  readonly exited: Promise<Exit>;
  /** Resolves with false when it died before. */
  readonly opened: Promise<boolean>;
  readonly problems: Problem[] = [];
  /** Since the process began: when it first called a tool, first acknowledged a message. */
  readonly firsts: Map<"call" | "message", { readonly ms: number; readonly cpuMs: number }> = new Map();
  openMs: number | null = null;
  isOwner = false;
  isAlive = true;
  /** When it became the owner for the first time, if it was not when it opened. */
  ownerSince: number | null = null;
  /** When it ceased to be, for the first time. */
  guestSince: number | null = null;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Acknowledgement | undefined) => void>();
  #lastId = 0;
  #errors = "";

  constructor(options: SubjectOptions, { wrapper = [], imports = [], env = {} }: Launch = {}) {
    const command = [
      ...wrapper,
      process.execPath,
      "--disable-warning=ExperimentalWarning",
      ...imports.flatMap((path) => ["--import", path]),
      subjectFile,
      JSON.stringify(options),
    ];
    const [file = "", ...args] = command;
    // In a group of its own: `strace` and what it traces end together.
    this.#child = spawn(file, args, { stdio: "pipe", detached: true, env: { ...process.env, ...cache, ...env } });
    alive.add(this);
    const opening = Promise.withResolvers<boolean>();
    this.opened = opening.promise;
    const leaving = Promise.withResolvers<Exit>();
    this.exited = leaving.promise;
    this.#child.stdin?.on("error", () => {
      // It died while we spoke: what it did not answer stays unanswered.
    });
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.#errors = (this.#errors + text.toString()).slice(-4000);
    });
    const lines = this.#child.stdout === null ? null : createInterface({ input: this.#child.stdout });
    lines?.on("line", (line) => {
      const told = parseLine(line) as Told | undefined;
      if (told !== undefined) this.#hear(told, opening.resolve);
    });
    // After `close` all that it said has been heard.
    this.#child.on("close", (code, signal) => {
      this.isAlive = false;
      alive.delete(this);
      opening.resolve(false);
      for (const answer of this.#waiting.values()) answer(undefined);
      this.#waiting.clear();
      leaving.resolve({ code, signal });
    });
  }

  /** What it wrote to stderr, the end of it. */
  get errors(): string {
    return this.#errors;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  ask(request: Request): Promise<Acknowledgement | undefined> {
    if (!this.isAlive) return Promise.resolve(undefined);
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Acknowledgement | undefined>();
    this.#waiting.set(id, resolve);
    this.#child.stdin?.write(`${JSON.stringify({ id, request })}\n`);
    return promise;
  }

  /** `kill -9`, of itself and of what it was started through. */
  kill(): Promise<Exit> {
    if (this.isAlive && this.#child.pid !== undefined) {
      try {
        process.kill(-this.#child.pid, "SIGKILL");
      } catch {
        // It was faster.
      }
    }
    return this.exited;
  }

  /** SIGSTOP, SIGCONT, SIGTERM: it may live on. */
  signal(name: NodeJS.Signals): void {
    if (this.isAlive && this.#child.pid !== undefined) process.kill(-this.#child.pid, name);
  }

  /** As an operator would; killed if it does not end by itself. */
  async stop(): Promise<Exit> {
    void this.ask({ do: "stop" });
    const timer = setTimeout(() => void this.kill(), 20_000);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }

  #hear(told: Told, opened: (isOpen: boolean) => void): void {
    switch (told.say) {
      case "answer": {
        this.#waiting.get(told.id)?.(told.answer);
        this.#waiting.delete(told.id);
        return;
      }
      case "open":
        this.openMs = told.ms;
        this.isOwner = told.isOwner;
        return opened(true);
      case "seat":
        this.isOwner = told.isOwner;
        if (told.isOwner) this.ownerSince ??= told.at;
        else this.guestSince ??= told.at;
        return;
      case "first":
        this.firsts.set(told.of, told);
        return;
      case "problem":
        this.problems.push({ code: told.code, message: told.message });
    }
  }
}

process.on("exit", () => {
  for (const subject of alive) void subject.kill();
});
