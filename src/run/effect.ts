// What a call does to the world outside, when nobody has said: the step's word first, then the operator's or the
// tool's, then the careful guess.

import type { Effect } from "../flow/plan.ts";
import { stepOf, type Draft } from "./draft.ts";
import type { Row } from "./model.ts";

export function effectOf(draft: Draft, row: Row): Effect {
  // A probe only looks.
  if (row.role === "probe") return "read";
  const step = stepOf(draft, row);
  const said = step.kind === "tool" && row.role !== "undo" ? step.effect : null;
  return said ?? (row.tool === null ? null : draft.env.effectOf(row.tool)) ?? "write";
}

/** What to do when nobody knows whether the call happened. */
export function onUnknownOf(draft: Draft, row: Row): "ask" | "retry" | "fail" {
  // Nobody is asked whether a notice arrived.
  if (row.role === "notify") return effectOf(draft, row) === "write" ? "fail" : "retry";
  const step = stepOf(draft, row);
  const isOwn = row.role === "step" || row.role === "item";
  const said = step.kind === "tool" && isOwn ? step.onUnknown : null;
  return said ?? (effectOf(draft, row) === "write" ? "ask" : "retry");
}
