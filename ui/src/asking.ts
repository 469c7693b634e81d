// The one place where the page asks again by itself. A query says with `meta: { everyMs }` how often; without a line every
// query that is looked at is asked for; while the page is paused, or nobody sees it, nothing is.

import { focusManager, type Query, type QueryClient } from "@tanstack/react-query";
import { askEvery, soonest, type ShownLine } from "./model/line.ts";

/** Wishes are kept to so much. */
const lookEveryMs = 500;

export class Asking {
  readonly #client: QueryClient;
  readonly #line: () => ShownLine;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(client: QueryClient, line: () => ShownLine) {
    this.#client = client;
    this.#line = line;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const line = this.#line();
    if (line === "paused" || !focusManager.isFocused()) return;
    const now = Date.now();
    const isDue = (query: Query): boolean => {
      const everyMs = askEvery(soonest(query.observers.map(({ options }) => wishOf(options.meta))), line);
      const { dataUpdatedAt, errorUpdatedAt } = query.state;
      return everyMs !== null && now - Math.max(dataUpdatedAt, errorUpdatedAt) >= everyMs;
    };
    const filter = { type: "active", fetchStatus: "idle", predicate: isDue } as const;
    if (this.#client.getQueryCache().findAll(filter).length > 0)
      void this.#client.invalidateQueries(filter, { cancelRefetch: false });
  }
}

function wishOf(meta: Readonly<Record<string, unknown>> | undefined): number | null {
  const everyMs = meta?.["everyMs"];
  return typeof everyMs === "number" ? everyMs : null;
}
