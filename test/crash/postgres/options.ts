// What the parts on PostgreSQL are given.

import type { PartOptions } from "../part.ts";
import type { CrashServer } from "./server.ts";

export type PostgresOptions = PartOptions & {
  readonly server: CrashServer;
  readonly serverKills: number;
  readonly cuts: number;
  /** Rounds in which an owner is stopped for `stoppedMs`. */
  readonly stops: number;
  readonly stoppedMs: number;
  /** How long others are in the way. */
  readonly rivalMs: number;
};
