// Tools, their breakers and the servers that bring them, as they go over the wire.

import type { Json } from "../../flow/json.ts";
import type { Failure } from "../../run/model.ts";

export type ToolDocument = {
  readonly name: string;
  readonly description: string | null;
  readonly effect: string;
  /** JSON Schema of its arguments; null: anything. */
  readonly input: Json;
  readonly output: Json;
  readonly outcomes: readonly string[];
  /** The server that brings it; null: it is the engine's own. */
  readonly server: string | null;
};

export type CallDocument = {
  readonly workflow_id: number;
  readonly tool: string;
  readonly ok: boolean;
  readonly outcome: string | null;
  readonly result: Json;
  readonly error: Failure | null;
};

export type BreakerDocument = {
  readonly tool: string;
  readonly state: "closed" | "open" | "half_open";
  /** Failures in a row. */
  readonly count: number;
  readonly last_error: string | null;
  readonly opened_at: number | null;
  readonly open_until: number | null;
  readonly is_testing: boolean;
};

export type ServerDocument = {
  /** Steps call its tools as key.tool. */
  readonly key: string;
  readonly status: "idle" | "starting" | "ready" | "waiting" | "refused" | "disabled";
  readonly problem: string | null;
  /** A program, or an address; null: it cannot be made out of what is written. */
  readonly transport: "stdio" | "http" | null;
  /** Its program or address, without secrets. */
  readonly target: string;
  /** The same as people know it, with the paths of files. */
  readonly command: string | null;
  readonly file: string | null;
  /** It was added through this program, and can be removed so. */
  readonly is_added: boolean;
  readonly era: string | null;
  /** The revision of the protocol. */
  readonly protocol: string | null;
  /** How long its newest answer took, but for calls. */
  readonly latency_ms: number | null;
  /** The end of what its program writes on its standard error. */
  readonly last_words: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly tool_count: number;
  /** Tools that are not what was agreed on. */
  readonly changed_count: number;
  readonly restarts: number;
  readonly calls_under_way: number;
  readonly stray_lines: number;
};

/** What became of trying a server out. */
export type TriedServerDocument = {
  readonly ok: boolean;
  readonly problem: string | null;
  readonly target: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly era: string | null;
  readonly tools: readonly { readonly name: string; readonly description: string | null }[];
};

export type ChangedToolDocument = {
  readonly server: string;
  readonly tool: string;
  readonly kind: "description" | "additive" | "narrowing" | "new_required" | "server" | "gone";
  /** For people. */
  readonly lines: readonly string[];
  /** Of the tool as it is now, and of what stands behind it. */
  readonly hash: string;
  readonly since: number;
};

export type LockDocument = {
  readonly file: string | null;
  readonly servers: readonly {
    readonly key: string;
    readonly target: string;
    readonly tools: readonly { readonly name: string; readonly sha256: string }[];
  }[];
  readonly changes: readonly ChangedToolDocument[];
};
