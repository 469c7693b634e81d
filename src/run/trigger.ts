// What set a run going, as far as its row tells: the nearest cause, so that a retry of a run that was scheduled is a retry.

import type { RunRow } from "./model.ts";

export const triggers = ["child", "retry", "rerun", "fork", "schedule", "page", "mcp", "token", "direct"] as const;
export type Trigger = (typeof triggers)[number];

/** Several at once, by a word for what they have in common. */
export const triggerGroups: { readonly [word in "person" | "run"]: readonly Trigger[] } = {
  /** Nothing else stands between somebody and the run: the page, or a program of the machine's owner. */
  person: ["page", "direct"],
  /** It comes from another run. */
  run: ["child", "retry", "rerun", "fork"],
};

type Told = Pick<RunRow, "parent" | "origin" | "createdVia" | "createdAt" | "startedAt">;

export function triggerOf({ parent, origin, createdVia, createdAt, startedAt }: Told): Trigger {
  if (parent !== null) return "child";
  if (origin !== null) return origin.kind;
  // Whoever is to start at once starts at the instant at which it was created; the alarm of the others is gone by then.
  if (startedAt !== createdAt) return "schedule";
  if (createdVia === null) return "direct";
  if (createdVia === "session") return "page";
  return createdVia === "mcp" ? "mcp" : "token";
}
