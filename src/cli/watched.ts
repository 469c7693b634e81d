// The service's side of being watched over.

import type { ListenOptions } from "../server/serve.ts";
import { portMark, watchedMark, type ServiceNews } from "./supervise.ts";

export type Watched = {
  /** Where this service was before its plug was pulled; null: it is the first. */
  readonly portBefore: number | null;
  readonly listening: (port: number) => void;
  /** This process is gone, as after `kill -9`; another one begins. */
  readonly pull: () => void;
} & Disposable;

/** null: nobody watches. */
export function findWatched(environment: { readonly [name: string]: string | undefined }): Watched | null {
  if (environment[watchedMark] === undefined || process.send === undefined) return null;
  const port = environment[portMark];
  // What this one starts is not watched over.
  delete process.env[watchedMark];
  delete process.env[portMark];
  process.once("disconnect", end);
  return {
    portBefore: port === undefined ? null : Number(port),
    listening: (at) => tell({ kind: "listening", port: at }),
    pull: () => tell({ kind: "pull" }, () => process.kill(process.pid, "SIGKILL")),
    [Symbol.dispose]: () => {
      process.off("disconnect", end);
      if (process.connected) process.disconnect();
    },
  };
}

const defaultPort = 7700;
/** When nobody has said which port. */
const portsTried = 20;
/** Five seconds in all: an outgoing connection of somebody may have the port for a moment. None is longer than a second, since
 *  people wait at the page. */
const waitsMs: readonly number[] = [100, 200, 400, 800, 1000, 1000, 1000, 1000];

/** `given`: by whoever has started it. One that is started again wants the port that it had: the page asks there. */
export function whereToListen(
  watched: Pick<Watched, "portBefore"> | null,
  given: number | undefined,
): Omit<ListenOptions, "host"> {
  const before = watched?.portBefore ?? null;
  if (before !== null) return { port: before, waitsMs };
  return given === undefined ? { port: defaultPort, triesMax: portsTried } : { port: given };
}

/** Whoever watched was killed: nobody would stop this one. */
function end(): never {
  process.exit(1);
}

function tell(news: ServiceNews, then: () => void = () => {}): void {
  process.send?.(news, undefined, undefined, then);
}
