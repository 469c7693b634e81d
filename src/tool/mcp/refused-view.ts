import type { ServerView } from "../servers.ts";
import type { RefusedServer } from "./config.ts";

/** Of a server that cannot be made out of what is written: nothing is known of it but why. */
export function toRefusedView({ key, file, problem }: RefusedServer): Omit<ServerView, "isAdded"> {
  return {
    key,
    status: "refused",
    problem,
    transport: null,
    target: "",
    file,
    era: null,
    protocol: null,
    latencyMs: null,
    lastWords: null,
    name: null,
    version: null,
    toolCount: 0,
    changedCount: 0,
    restarts: 0,
    callsUnderWay: 0,
    strayLines: 0,
  };
}
