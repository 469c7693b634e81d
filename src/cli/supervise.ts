// Watches over the service, so that the demo can pull its plug for real: the same command line runs in a process below this
// one, and again in another whenever its plug was pulled. Whatever else ends it ends this one alike.

import { fork, type ChildProcess } from "node:child_process";
import { interruptedExitCode, onSignals, type StopSignal } from "./signals.ts";

/** What the service tells whoever watches over it. */
export type ServiceNews = { readonly kind: "listening"; readonly port: number } | { readonly kind: "pull" };

export type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly isPulled: boolean };

/** By which the service knows that it is watched over, and where it was before its plug was pulled. */
export const watchedMark = "STEPWELL_SUPERVISED";
export const portMark = "STEPWELL_SUPERVISED_PORT";

/** The exit code. */
export async function supervise(say: (text: string) => void): Promise<number> {
  const watch = new Watch();
  using _ = onSignals((signal) => watch.stop(signal));
  for (;;) {
    const ended = exitCodeOf(await watch.run(), watch.stoppedBy);
    if (ended !== null) return typeof ended === "number" ? ended : endBy(ended);
    say("The plug was pulled (kill -9). Another process goes on, from what is on disk.");
  }
}

/** Of SIGTERM, as for Ctrl+C. */
const terminatedExitCode = 143;

/** Or the signal to end by; null: another process shall go on. */
export function exitCodeOf(
  { code, signal, isPulled }: End,
  stoppedBy: StopSignal | null,
): number | NodeJS.Signals | null {
  if (!isPulled) return signal ?? code ?? 1;
  // Whoever wanted it to stop has got that, and not a crash, though it was killed in that very moment.
  if (stoppedBy !== null) return stoppedBy === "SIGINT" ? interruptedExitCode : terminatedExitCode;
  return null;
}

class Watch {
  #child: ChildProcess | null = null;
  #port: number | null = null;
  #stoppedBy: StopSignal | null = null;

  get stoppedBy(): StopSignal | null {
    return this.#stoppedBy;
  }

  /** A terminal tells all its processes of Ctrl+C; the service takes two so close for one. */
  stop(signal: StopSignal): void {
    this.#stoppedBy ??= signal;
    this.#child?.kill(signal);
  }

  async run(): Promise<End> {
    const [, program = "", ...words] = process.argv;
    const where = this.#port === null ? {} : { [portMark]: String(this.#port) };
    const child = fork(program, words, { env: { ...process.env, [watchedMark]: "1", ...where } });
    this.#child = child;
    let isPulled = false;
    child.on("message", (news: ServiceNews) => {
      if (news.kind === "pull") isPulled = true;
      else this.#port = news.port;
    });
    const { promise, resolve, reject } = Promise.withResolvers<End>();
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve({ code, signal, isPulled }));
    return promise;
  }
}

/** As the service was: whoever has started us sees the same. */
function endBy(signal: NodeJS.Signals): number {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  return 1;
}
