// Whoever keeps something beside the runs: asked through the same door as everything else, by this process or by guests.

import type { Json } from "../flow/json.ts";

export type ClerkName = "workflows" | "breakers" | "access" | "secrets";

/** The kinds of entries that each keeps. */
export const entryKinds: Readonly<Record<ClerkName, readonly string[]>> = {
  workflows: ["workflow", "workflow_version"],
  breakers: ["breaker"],
  access: ["principal", "token"],
  secrets: ["secret"],
};

export interface Clerk {
  /** The answer, once what it says is on disk; throws what is refused. `ask` is data of another process. */
  handle(ask: Json, by: string): Promise<Json>;
}
