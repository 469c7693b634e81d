// Ctrl+C and SIGTERM: the first asks to stop in good order, the next one stops at once.

export type StopSignal = "SIGINT" | "SIGTERM";

/** Of Ctrl+C, by custom 128 and the number of the signal. */
export const interruptedExitCode = 130;

/** Under npm one Ctrl+C arrives twice, from the terminal and from npm; nobody presses twice so quickly. */
const sameMs = 400;

export function onStopSignal(stop: (signal: StopSignal) => void): Disposable {
  let firstAt: number | null = null;
  const receive = (signal: StopSignal): void => {
    const at = performance.now();
    if (firstAt === null) {
      firstAt = at;
      stop(signal);
    } else if (at - firstAt >= sameMs) {
      process.exit(interruptedExitCode);
    }
  };
  process.on("SIGINT", receive);
  process.on("SIGTERM", receive);
  return {
    [Symbol.dispose]: () => {
      process.off("SIGINT", receive);
      process.off("SIGTERM", receive);
    },
  };
}
