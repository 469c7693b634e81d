// `stepwell up` on one port and one store, through as many lives as it takes.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { findLastingPort } from "../../scripts/lasting-port.ts";
import { makePlace, type Place, type Started } from "../cli/command.ts";

export type Server = AsyncDisposable & {
  readonly port: number;
  /** The file of its store. */
  readonly path: string;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly measure: () => Measured;
};

/** Of the process that runs now. */
export type Measured = { readonly memoryMiB: number; readonly descriptors: number; readonly sockets: number };

/** Small, so that garbage is collected soon, and memory says what is in use. */
const smallHeap = ["env", "NODE_OPTIONS=--max-old-space-size=80 --max-semi-space-size=1"];

export async function createServerPlace(heap: "small" | "usual"): Promise<Server> {
  const place: Place = makePlace();
  const wrapper = heap === "small" ? smallHeap : [];
  const port = await findLastingPort();
  let life: Started | null = null;
  return {
    port,
    path: join(place.folder, ".stepwell/stepwell.db"),
    start: async () => {
      life = place.startWith(wrapper, ["up", "--port", String(port), "--no-demo"]);
      await life.said(/Ctrl\+C stops it/);
    },
    kill: async () => {
      life?.child.kill("SIGKILL");
      await life?.finished;
    },
    measure: () => measure(life?.child.pid),
    [Symbol.asyncDispose]: () => place.remove(),
  };
}

function measure(pid: number | undefined): Measured {
  const [, kibibytes = "0"] = /^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const folder = `/proc/${pid}/fd`;
  const open = readdirSync(folder).map((name) => readDescriptor(join(folder, name)));
  const sockets = open.filter((kind) => kind.startsWith("socket:")).length;
  return { memoryMiB: Math.round(Number(kibibytes) / 1024), descriptors: open.length, sockets };
}

function readDescriptor(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Closed meanwhile.
    return "";
  }
}
