// Ctrl+C and SIGTERM, as one stream of wishes to stop.

export type StopSignal = "SIGINT" | "SIGTERM";

/** Of Ctrl+C, by custom 128 and the number of the signal. */
export const interruptedExitCode = 130;

/** Under npm one Ctrl+C arrives twice, from the terminal and from npm; nobody presses twice so quickly. */
const sameMs = 400;

/** Every signal that is one of its own. */
export function onSignals(receive: (signal: StopSignal) => void): Disposable {
  let lastAt = Number.NEGATIVE_INFINITY;
  const take = (signal: StopSignal): void => {
    const at = performance.now();
    if (at - lastAt < sameMs) return;
    lastAt = at;
    receive(signal);
  };
  process.on("SIGINT", take);
  process.on("SIGTERM", take);
  return {
    [Symbol.dispose]: () => {
      process.off("SIGINT", take);
      process.off("SIGTERM", take);
    },
  };
}

/** The first one asks to stop in good order, the next one stops at once. */
export function onStopSignal(stop: (signal: StopSignal) => void): Disposable {
  let isStopping = false;
  return onSignals((signal) => {
    if (isStopping) process.exit(interruptedExitCode);
    isStopping = true;
    stop(signal);
  });
}
