// Rows that are ready begin: those that have just become so and those that waited for room, in turn, as far as a batch
// has time. What each of them may do is the kernel's word; whether there is room for it, the dispatcher's.

import type { Row, RunId, RunRow } from "../run/model.ts";
import type { BatchDraft } from "./batch-draft.ts";
import type { Decider } from "./decider.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { claimantOf, type HeldRun, type RunCache } from "./held-run.ts";

/** Runs that are brought into memory in one go, when one of them is needed. */
export const loadedTogether = 128;

export type AdmissionParts = {
  readonly dispatcher: Dispatcher;
  readonly decider: Decider;
  readonly cache: RunCache;
  /** Another process has the tool; the row waits for it. */
  readonly isForOthers: (run: RunRow, tool: string) => boolean;
};

export type AdmissionLimits = {
  readonly rowsMax: number;
  /** By the time that has elapsed. */
  readonly until: number;
  /** The batch was thrown away while the store was asked. */
  readonly isGivenUp: () => boolean;
  /** A run of which something cannot be brought or decided. */
  readonly onTrouble: (run: RunId, error: unknown) => void;
};

export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Rows that the batch has made ready wait for their turn. */
  queue(draft: BatchDraft): void {
    for (const { run, row } of draft.ready.splice(0)) this.#parts.dispatcher.add(run, row);
  }

  async admit(draft: BatchDraft, limits: AdmissionLimits): Promise<void> {
    const { dispatcher } = this.#parts;
    for (let looked = 1; draft.admitted.length < limits.rowsMax; looked++) {
      // At least as much as there are messages, so that what is ready never falls behind what makes it so.
      if (looked % 16 === 0 && looked > draft.envelopes.length && performance.now() > limits.until) return;
      this.queue(draft);
      const place = dispatcher.next();
      if (place === undefined) return;
      const held = this.#parts.cache.find(place.run) ?? (await this.#load(place.run, limits));
      if (limits.isGivenUp()) return;
      const row = held?.frontier.rows.get(place.row);
      if (held === undefined || row === undefined || !this.#mayBegin(held, row)) {
        dispatcher.drop(place.row);
        continue;
      }
      const pending = this.#begin(draft, { held, row }, limits);
      if (pending !== undefined) await pending;
      if (limits.isGivenUp()) return;
    }
  }

  /** A promise only when the store must be asked. */
  #begin(
    draft: BatchDraft,
    { held, row }: { readonly held: HeldRun; readonly row: Row },
    limits: AdmissionLimits,
  ): Promise<void> | undefined {
    const { dispatcher, decider } = this.#parts;
    const place = { run: held.id, row: row.id };
    const claimant = claimantOf(held, row.id, row.tool);
    if (row.tool !== null && !dispatcher.take(place, claimant)) return undefined;
    const callsBefore = draft.calls.length;
    const settle = (): void => {
      if (row.tool !== null && draft.calls.length === callsBefore) dispatcher.takeBack(claimant);
    };
    draft.admitted.push(place);
    try {
      const pending = decider.admit(draft, held, row);
      if (pending !== undefined) return this.#wait(pending, { run: held.id, settle }, limits);
    } catch (error) {
      limits.onTrouble(held.id, error);
    }
    settle();
    return undefined;
  }

  async #wait(
    pending: Promise<void>,
    { run, settle }: { readonly run: RunId; readonly settle: () => void },
    { isGivenUp, onTrouble }: AdmissionLimits,
  ): Promise<void> {
    try {
      await pending;
    } catch (error) {
      onTrouble(run, error);
    }
    if (!isGivenUp()) settle();
  }

  #mayBegin({ frontier }: HeldRun, { status, tool }: Row): boolean {
    if (status !== "ready" || frontier.run.status !== "running") return false;
    return tool === null || !this.#parts.isForOthers(frontier.run, tool);
  }

  async #load(run: RunId, { onTrouble }: AdmissionLimits): Promise<HeldRun | undefined> {
    const { decider, dispatcher, cache } = this.#parts;
    try {
      await decider.loadAll([run, ...dispatcher.peek(loadedTogether)]);
      return cache.find(run) ?? (await decider.load(run));
    } catch (error) {
      onTrouble(run, error);
      return undefined;
    }
  }
}
