// What a program asks of the breakers: how they stand, and to close one by hand.

import type { BreakerState } from "../tool/breaker.ts";
import type { ClerkWindow } from "./clerk-window.ts";

/** Of a tool that has failed at least once, as of now. */
export type BreakerView = {
  readonly tool: string;
  readonly state: BreakerState;
  /** Failures in a row. */
  readonly count: number;
  readonly lastError: string | null;
  /** null: it is closed. */
  readonly openedAt: number | null;
  /** null: it is not open; of one that is half-open, the next call is the test, or one is under way. */
  readonly openUntil: number | null;
  readonly isTesting: boolean;
};

export class BreakerVerbs {
  readonly #window: ClerkWindow;

  constructor(window: ClerkWindow) {
    this.#window = window;
  }

  /** By the tools' names; one that has never failed has none. */
  async list(): Promise<readonly BreakerView[]> {
    return (await this.#window.ask("breakers", { do: "list" })) as readonly BreakerView[];
  }

  /** The tool is called again at once, and its failures are forgotten. False: it had none. */
  async reset(tool: string): Promise<boolean> {
    return (await this.#window.ask("breakers", { do: "reset", tool })) === true;
  }
}
