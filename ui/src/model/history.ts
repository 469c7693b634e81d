// What happened in a run, entry by entry, in words.

import { isObject } from "./json.ts";
import type { HistoryEntry } from "./run.ts";

export type HistoryKind = "failed" | "human" | "system";

export function kindOf(entry: HistoryEntry): HistoryKind {
  if (entry.status === "failed" || entry.status === "uncertain" || failures.has(entry.event ?? "")) return "failed";
  return entry.by === null ? "system" : "human";
}

const failures: ReadonlySet<string> = new Set(["side_path_failed", "poisoned", "gate_expired"]);

const events: ReadonlyMap<string, string> = new Map([
  ["side_path_failed", "A path beside the flow failed"],
  ["gate_reminded", "A reminder was sent"],
  ["gate_escalated", "Nobody had answered: it was escalated"],
  ["gate_expired", "Nobody answered in time"],
  ["gate_answered", "Answered"],
  ["made_ready", "Let go on at once"],
  ["late_result", "A result came too late and changed nothing"],
  ["resolved", "Decided"],
  ["skipped", "Skipped"],
  ["chosen", "Way chosen"],
  ["cancel_refused", "Cancelling was refused"],
  ["cancelled", "Cancelled"],
  ["paused", "Paused"],
  ["poisoned", "Held: it was cut off too often"],
  ["resumed", "Resumed"],
]);

const ends: { readonly [status: string]: string } = {
  done: "done",
  failed: "failed",
  skipped: "skipped",
  cancelled: "cancelled",
  uncertain: "nobody knows whether it happened",
};

/** Without the name of the step, which stands beside it. */
export function describe(entry: HistoryEntry): string {
  switch (entry.kind) {
    case "entered":
      return sayEntered(entry);
    case "started":
      return "started";
    case "ended":
      return sayEnded(entry);
    case "event":
      return sayEvent(entry);
  }
}

function sayEntered({ via, attempt, item }: HistoryEntry): string {
  const which = item === null ? "" : `item ${item + 1} `;
  const again = attempt !== null && attempt > 1 ? `, attempt ${attempt}` : "";
  return `${which}entered${via === null || via === "" ? "" : ` ${sayVia(via)}`}${again}`;
}

function sayVia(via: string): string {
  const [how, what] = via.split(":", 2);
  if (how === "route") return `by the route "${what ?? ""}"`;
  if (how === "fire") return `by the transition "${what ?? ""}"`;
  const words: { readonly [how: string]: string } = {
    start: "as the first step",
    next: "as what follows",
    else: "by else",
    fork: "as a branch",
    join: "when the branches had come together",
    retry: "to be tried again",
    interrupted: "again after it was cut off",
    chosen: "as somebody chose",
    escalate: "by escalation",
    cancel: "to clean up",
    notify: "to notify",
    probe: "to find out what became of it",
  };
  return words[how ?? ""] ?? `by ${via}`;
}

function sayEnded({ status, outcome, error }: HistoryEntry): string {
  const word = ends[status ?? ""] ?? status ?? "ended";
  if (error !== null) return `${word}: ${error.message}`;
  return outcome === null || outcome === "success" ? word : `${word} with ${outcome}`;
}

function sayEvent({ event, data, by }: HistoryEntry): string {
  if (event === "log" || event === "progress")
    return typeof data === "string" ? data : (textOf(data, "message") ?? event);
  const said = events.get(event ?? "") ?? (event ?? "event").replaceAll("_", " ");
  const detail = textOf(data, "outcome") ?? textOf(data, "how") ?? textOf(data, "step") ?? textOf(data, "reason");
  const comment = textOf(data, "comment");
  return `${said}${by === null ? "" : ` by ${by}`}${detail === null ? "" : `: ${detail}`}${comment === null ? "" : ` ("${comment}")`}`;
}

function textOf(data: unknown, name: string): string | null {
  const found = isObject(data) ? data[name] : null;
  return typeof found === "string" && found !== "" ? found : null;
}

/** What tools and steps have said while they worked. */
export function isLog(entry: HistoryEntry): boolean {
  return entry.event === "log" || entry.event === "progress";
}
