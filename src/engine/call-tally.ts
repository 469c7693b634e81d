// How often each tool was called in this process, and what came of it: plain numbers, for whoever keeps an eye on it.

/** `dropped`: nobody wanted to know any more. */
export type CallOutcome = "done" | "failed" | "lost" | "dropped";

export type CallCount = { readonly tool: string; readonly outcome: CallOutcome; readonly calls: number };

export class CallTally {
  readonly #counts = new Map<string, Record<CallOutcome, number>>();

  add(tool: string, outcome: CallOutcome): void {
    let counts = this.#counts.get(tool);
    if (counts === undefined) this.#counts.set(tool, (counts = { done: 0, failed: 0, lost: 0, dropped: 0 }));
    counts[outcome] += 1;
  }

  list(): readonly CallCount[] {
    return [...this.#counts].flatMap(([tool, counts]) =>
      (["done", "failed", "lost", "dropped"] as const).map((outcome) => ({ tool, outcome, calls: counts[outcome] })),
    );
  }
}
