// What the harness and its subject say to each other: JSON, one line each. A command is acknowledged only once the
// engine has said that it is on disk; what was acknowledged must survive everything that follows.

import type { Json } from "../../src/flow/json.ts";
import type { RunKind } from "./flows.ts";

/** Given to the subject as its only argument. */
export type SubjectOptions = {
  readonly store: string;
  readonly ledger: string;
  readonly durability: "full" | "fast";
  /** A tool takes up to so long before its effect, and again after it. */
  readonly delayMs: number;
};

export type Request =
  | { readonly do: "start"; readonly kind: RunKind; readonly key: string; readonly n: number; readonly filler: number }
  | { readonly do: "approve"; readonly step: number }
  | { readonly do: "signal"; readonly run: number }
  | { readonly do: "cancel"; readonly run: number }
  | {
      readonly do: "resolve";
      readonly step: number;
      readonly how: "retry" | "done" | "failed";
      readonly result: Json;
    }
  | { readonly do: "look"; readonly run: number }
  | { readonly do: "stop" };

export type Command = { readonly id: number; readonly request: Request };

export type Acknowledgement =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: string; readonly message: string };

export type Told =
  | { readonly say: "answer"; readonly id: number; readonly answer: Acknowledgement }
  /** `ms`: since the process began. */
  | { readonly say: "open"; readonly isOwner: boolean; readonly ms: number }
  /** It has become the owner of the store, or is no longer. */
  | { readonly say: "seat"; readonly isOwner: boolean; readonly at: number }
  | { readonly say: "first"; readonly of: "call" | "message"; readonly ms: number; readonly cpuMs: number }
  | { readonly say: "problem"; readonly code: string; readonly message: string };

/** Our own process wrote it, a line at a time; a last line that was cut off is none. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
