// Tells a client of 2025-11-25 when a task that it has begun or asked for has another status, once that is on disk. It is a
// courtesy: what the client has not read yet is not kept for it, only how the task is by then.

import type { Notification } from "@modelcontextprotocol/server";
import { hasEnded, type RunId } from "../../run/model.ts";
import type { Caller } from "./caller.ts";
import { lookAt, type House, type SeenRun } from "./house.ts";
import type { LegacyTask } from "./task-view.ts";
import { waitFor } from "./wait.ts";

export type NewsParts = {
  readonly house: House;
  readonly caller: Caller;
  readonly view: (seen: SeenRun) => LegacyTask;
  readonly send: (task: LegacyTask) => Promise<void>;
};

/** As it goes over the wire. */
export function toStatusNews(task: LegacyTask): Notification {
  return { method: "notifications/tasks/status", params: { ...task } };
}

/** So many are followed for one client; the oldest is let go. */
const followedMax = 50;

type Followed = {
  readonly leaving: AbortController;
  /** What the client knows, or is being told. */
  told: LegacyTask["status"];
  /** What there is to tell once it has read what was sent before. */
  next: LegacyTask | null;
  isSending: boolean;
};

export class TaskNews {
  readonly #parts: NewsParts;
  readonly #followed = new Map<RunId, Followed>();
  #isClosed = false;

  constructor(parts: NewsParts) {
    this.#parts = parts;
  }

  /** From what the client has been told just now. */
  follow({ run }: SeenRun, told: LegacyTask["status"]): void {
    if (this.#isClosed || hasEnded(run)) return;
    const known = this.#followed.get(run.id);
    if (known !== undefined) {
      known.told = told;
      return;
    }
    const [oldest] = this.#followed.keys();
    if (this.#followed.size >= followedMax && oldest !== undefined) this.#leave(oldest);
    const followed = { leaving: new AbortController(), told, next: null, isSending: false };
    this.#followed.set(run.id, followed);
    void this.#watch(run.id, followed).catch(this.#parts.house.onProblem);
  }

  /** Whatever its status is, with a remark that belongs to it. */
  async remark(run: RunId, remark: string): Promise<void> {
    const { house, caller, view } = this.#parts;
    const task = view(await lookAt(house, caller, run));
    await this.#parts.send({ ...task, statusMessage: `${task.statusMessage} ${remark}` }).catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
    for (const run of this.#followed.keys()) this.#leave(run);
  }

  #leave(run: RunId): void {
    this.#followed.get(run)?.leaving.abort();
    this.#followed.delete(run);
  }

  async #watch(run: RunId, followed: Followed): Promise<void> {
    const { house, caller, view } = this.#parts;
    const { signal } = followed.leaving;
    const isEnough = (seen: SeenRun): boolean => {
      this.#tell(view(seen), followed);
      return false;
    };
    try {
      const seen = await waitFor(house, caller, { run, timeoutMs: null, signal, isEnough });
      if (!signal.aborted) this.#tell(view(seen), followed);
    } finally {
      if (this.#followed.get(run) === followed) this.#followed.delete(run);
    }
  }

  #tell(task: LegacyTask, followed: Followed): void {
    followed.next = task;
    if (!followed.isSending) void this.#send(followed);
  }

  async #send(followed: Followed): Promise<void> {
    followed.isSending = true;
    while (followed.next !== null && !followed.leaving.signal.aborted) {
      const task = followed.next;
      followed.next = null;
      if (task.status === followed.told) continue;
      followed.told = task.status;
      // Whoever has left need not know.
      await this.#parts.send(task).catch(() => {});
    }
    followed.isSending = false;
  }
}
