// Watches over the service, so that the demo can pull its plug for real: the same command line runs in a process below this
// one, and again in another whenever its plug was pulled. Whatever else ends it ends this one alike.

import { fork, type ChildProcess } from "node:child_process";
import { onSignals, type StopSignal } from "./signals.ts";

/** What the service tells whoever watches over it. */
export type ServiceNews = { readonly kind: "listening"; readonly port: number } | { readonly kind: "pull" };

type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly isPulled: boolean };

/** By which the service knows that it is watched over, and where it was before its plug was pulled. */
export const watchedMark = "STEPWELL_SUPERVISED";
export const portMark = "STEPWELL_SUPERVISED_PORT";

/** The exit code. */
export async function supervise(say: (text: string) => void): Promise<number> {
  const watch = new Watch();
  using _ = onSignals((signal) => watch.stop(signal));
  for (;;) {
    const { code, signal, isPulled } = await watch.run();
    if (!isPulled || watch.isStopping) return signal === null ? (code ?? 1) : endBy(signal);
    say("The plug was pulled (kill -9). Another process goes on, from what is on disk.");
  }
}

class Watch {
  #child: ChildProcess | null = null;
  #port: number | null = null;
  #isStopping = false;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** A terminal tells all its processes of Ctrl+C; the service takes two so close for one. */
  stop(signal: StopSignal): void {
    this.#isStopping = true;
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
