// What set a run going. Who did it stands beside it: a person, a program, or whoever the run above it belongs to.

import type { Run } from "./run.ts";
import { showDay } from "./time.ts";

export type TriggerKind = "child" | "retry" | "rerun" | "fork" | "schedule" | "page" | "mcp" | "token" | "direct";

export type Trigger = {
  readonly kind: TriggerKind;
  readonly word: string;
  /** The run that it comes from. */
  readonly run: number | null;
  /** The instant for which it was scheduled. */
  readonly at: number | null;
};

/** The nearest cause: a retry of a run that was scheduled is a retry. */
export function triggerOf({
  parent,
  origin,
  scheduledAt,
  createdVia,
  createdAt,
  startedAt,
}: Pick<Run, "parent" | "origin" | "scheduledAt" | "createdVia" | "createdAt" | "startedAt">): Trigger {
  if (parent !== null) return { kind: "child", word: `part of ${parent}`, run: parent, at: null };
  if (origin !== null)
    return { kind: againOf(origin.kind), word: `${origin.kind} of ${origin.id}`, run: origin.id, at: null };
  if (scheduledAt !== null)
    return { kind: "schedule", word: `scheduled for ${showDay(scheduledAt)}`, run: null, at: scheduledAt };
  // For when is not kept once it has begun; whoever starts at once starts at the instant of its creation.
  if (startedAt !== createdAt) return { kind: "schedule", word: "scheduled", run: null, at: null };
  return { ...doorOf(createdVia), run: null, at: null };
}

function againOf(kind: string): TriggerKind {
  return kind === "retry" || kind === "fork" ? kind : "rerun";
}

/** What a run keeps of the door is how whoever came was known there; the owner of the machine needs no such thing, at the
 *  command line, in a program or on the page. */
function doorOf(via: string | null): Pick<Trigger, "kind" | "word"> {
  if (via === null) return { kind: "direct", word: "started" };
  if (via === "session") return { kind: "page", word: "started from the page" };
  if (via === "mcp") return { kind: "mcp", word: "started through MCP" };
  return { kind: "token", word: "started with a token" };
}
