// One line of a list: plain data. What it is about is named by numbers that are read against what is there when its turn
// comes, so that a line still means something when others are taken out of the list.

import type { JsonObject } from "../../src/flow/json.ts";
import type { Retention } from "../../src/engine/retention.ts";
import type { RunStatus } from "../../src/run/model.ts";

export type Command =
  | {
      readonly kind: "start";
      /** A flow of the list, or a saved one by its name. */
      readonly flow: number | string;
      readonly input: JsonObject;
      readonly by: string;
      readonly key: string | null;
      readonly inMs: number | null;
      readonly name: string | null;
    }
  /** Somebody answers what waits in a run: a gate, a wait, a state, a step that is held; if nothing does, time passes. */
  | { readonly kind: "answer"; readonly seed: number }
  /** Somebody says something to a run, whether it makes sense or not. */
  | { readonly kind: "say"; readonly seed: number }
  | { readonly kind: "signal"; readonly run: number; readonly name: string; readonly data: JsonObject }
  | { readonly kind: "emit"; readonly event: string; readonly data: JsonObject }
  | { readonly kind: "steer"; readonly run: number; readonly how: "cancel" | "pause" | "resume" | "preview" | "result" }
  | {
      readonly kind: "again";
      readonly run: number;
      readonly how: "retry" | "rerun" | "fork";
      /** One of its rows; null: from the start. */
      readonly from: number | null;
      readonly input: JsonObject | null;
    }
  /** `next`: until something is due. */
  | { readonly kind: "advance"; readonly ms: number | "next" }
  /** The process dies and another one opens the store: at once, or at one of its next commits, which gets to the disk or
   *  not. */
  | { readonly kind: "crash"; readonly at: null | { readonly commit: number; readonly isWritten: boolean } }
  /** The engine stops and another one opens the store, which keeps less. */
  | { readonly kind: "reopen"; readonly retention: Partial<Retention> }
  /** What ended longer ago than this goes. */
  | { readonly kind: "prune"; readonly ageMs: number }
  | { readonly kind: "save"; readonly flow: number; readonly name: string; readonly note: string }
  | {
      readonly kind: "shelve";
      readonly how: "enable" | "disable" | "delete" | "restore" | "diff";
      readonly name: string;
      readonly version: number;
    }
  | { readonly kind: "reset"; readonly tool: string }
  | {
      readonly kind: "list";
      readonly status: RunStatus | "all" | "live" | null;
      readonly by: string | null;
      readonly name: string | null;
      readonly limitMax: number;
      readonly before: number | null;
    };

/** All that makes one play. */
export type CommandList = {
  /** Of its flows, its tools and its commands. */
  readonly seed: number;
  readonly commands: readonly Command[];
};
