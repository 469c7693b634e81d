// The signs before a line of the step tree, in three ways: for terminals that know Unicode, for those that do not, and
// the colour that says the same once more.

import type { styleText } from "node:util";
import { hasEnded, type RunRow } from "../run/model.ts";

export type Sign =
  | "done"
  | "failed"
  | "retry"
  | "running"
  | "waiting"
  | "asking"
  | "next"
  | "skipped"
  | "cancelled"
  | "unknown";

type Style = Extract<Parameters<typeof styleText>[0], string>;

/** Each is one column wide in every font. */
const signs: { readonly [sign in Sign]: readonly [unicode: string, ascii: string, style: Style] } = {
  done: ["✔", "+", "green"],
  failed: ["✘", "x", "red"],
  retry: ["↻", "~", "yellow"],
  running: ["●", "*", "cyan"],
  waiting: ["◷", "o", "blue"],
  asking: ["◆", "?", "yellow"],
  next: ["·", ".", "gray"],
  skipped: ["-", "-", "gray"],
  cancelled: ["⊘", "-", "gray"],
  unknown: ["!", "!", "magenta"],
};

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** `frame` undefined: a picture that does not move. */
export function signText(sign: Sign, isUnicode: boolean, frame?: number): string {
  if (sign === "running" && isUnicode && frame !== undefined) return spinner[frame % spinner.length] ?? "";
  return signs[sign][isUnicode ? 0 : 1];
}

export function signStyle(sign: Sign): Style {
  return signs[sign][2];
}

export function signOfRun(run: RunRow): Sign {
  if (hasEnded(run)) return run.status === "completed" ? "done" : run.status === "failed" ? "failed" : "cancelled";
  if (run.attention !== null) return "unknown";
  return run.status === "running" ? "running" : "waiting";
}
