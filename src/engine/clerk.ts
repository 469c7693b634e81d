// Whoever keeps something beside the runs: asked through the same door as everything else, by this process or by guests.

import type { Json } from "../flow/json.ts";
import type { AuditRecord } from "../store/audit.ts";
import type { InboxId } from "../store/store.ts";

export type ClerkName = "workflows" | "breakers" | "access" | "secrets" | "ratings" | "servers";

/** The kinds of entries that each keeps. */
export const entryKinds: Readonly<Record<ClerkName, readonly string[]>> = {
  workflows: ["workflow", "workflow_version", "resource"],
  breakers: ["breaker", "rate"],
  access: ["principal", "token", "password", "session"],
  secrets: ["secret"],
  ratings: [],
  servers: ["question", "server_note"],
};

/** Who asks, and what a guest is told: written in one transaction with the change, so that whoever owns the store next
 *  finds both done or neither. Nothing is written for this process itself. */
export type Asking = {
  readonly by: string;
  /** What is on record of it; null: nothing. */
  readonly audit: AuditRecord | null;
  readonly tell: (answer: Json) => readonly { readonly id: InboxId; readonly answer: Json }[];
};

/** `answered`: where it is noted that the answer is on its way. */
export function askingOf(who: Pick<Asking, "by" | "audit">, inbox: InboxId | null, answered: Set<InboxId>): Asking {
  const tell: Asking["tell"] = (answer) => {
    if (inbox === null) return [];
    answered.add(inbox);
    return [{ id: inbox, answer: { ok: answer } }];
  };
  return { ...who, tell };
}

export interface Clerk {
  /** The answer, once what it says is on disk; throws what is refused. `ask` is data of another process. What it changes,
   *  it changes in one go, and the asking goes along. */
  handle(ask: Json, asking: Asking): Promise<Json>;
}
