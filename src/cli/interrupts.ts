// Ctrl+C while a run is followed: the first one leaves it, two within a moment ask whether to cancel it. Where nobody can
// be asked, and for SIGTERM, the first one leaves at once. Whatever comes after that ends the program.

import type { StopSignal } from "./signals.ts";

/** How long the first Ctrl+C waits for a second one. */
export const secondWithinMs = 2000;

export type InterruptParts = {
  readonly canAsk: boolean;
  readonly say: (text: string) => void;
  readonly leave: (signal: StopSignal) => void;
  /** Shall it be cancelled? */
  readonly ask: () => Promise<boolean>;
  readonly cancel: () => Promise<void>;
  /** At once, whatever is under way. */
  readonly end: () => void;
};

export interface Interrupts extends Disposable {
  readonly receive: (signal: StopSignal) => void;
}

export function createInterrupts(parts: InterruptParts): Interrupts {
  let state: "following" | "warned" | "asking" | "left" = "following";
  let timer: NodeJS.Timeout | undefined;
  const go = (signal: StopSignal): void => {
    clearTimeout(timer);
    state = "left";
    parts.leave(signal);
  };
  const warn = (): void => {
    state = "warned";
    parts.say("Leaving the run to itself; Ctrl+C once more asks whether to cancel it.");
    timer = setTimeout(() => go("SIGINT"), secondWithinMs);
  };
  const question = async (): Promise<void> => {
    clearTimeout(timer);
    state = "asking";
    const isWanted = await parts.ask();
    if (hasLeft()) return;
    if (!isWanted) return go("SIGINT");
    state = "following";
    await parts.cancel();
  };
  // A further Ctrl+C may have decided while somebody was asked.
  const hasLeft = (): boolean => state === "left";
  return {
    receive: (signal) => {
      switch (state) {
        case "following":
          return parts.canAsk && signal === "SIGINT" ? warn() : go(signal);
        case "warned":
          if (signal === "SIGTERM") return go(signal);
          return void question().catch((error: unknown) =>
            parts.say(`error: ${error instanceof Error ? error.message : String(error)}`),
          );
        case "asking":
          return go(signal);
        case "left":
          return parts.end();
      }
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
