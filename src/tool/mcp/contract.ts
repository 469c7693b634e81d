// What the parts of the MCP client share: a server as the user's file names it, a tool as the server describes it, and
// what was agreed on about it.

import type { JsonObject } from "../../flow/json.ts";
import type { Effect } from "../../flow/plan.ts";

/** A server as it stands in the configuration, before anything in it is filled in: values of the environment are read
 *  when it is connected to, and kept nowhere. */
export type ServerEntry = {
  /** Steps address its tools as `key.tool`. */
  readonly key: string;
  readonly target: StdioTarget | HttpTarget;
  readonly isDisabled: boolean;
  /** How long a request may take that no step stands for, such as listing tools; null: as usual. */
  readonly timeoutMs: number | null;
  /** How to speak to it; `auto`: find out, and remember. */
  readonly era: Era | "auto";
  /** How many calls may be at work there at once; null: as many as there are. */
  readonly callsMax: number | null;
  /** What the operator says about tools of this server, by their own names. */
  readonly effects: Readonly<Record<string, Effect>>;
  /** Where it is written, for whoever has to mend it. */
  readonly file: string | null;
};

export type Era = "legacy" | "modern";

export type StdioTarget = {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | null;
};

export type HttpTarget = {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** A tool as its server describes it. */
export type ToolDefinition = {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly input: JsonObject;
  readonly output: JsonObject | null;
  readonly annotations: JsonObject;
  /** 2025-11-25: whether it wants to be called as a task. */
  readonly taskSupport: "forbidden" | "optional" | "required";
};

/** What somebody has looked at and agreed to, kept in the lock file. */
export interface Pins {
  /** What is kept of a server's tools, so that they are known before it is connected to. */
  known(server: string): readonly ToolDefinition[];
  /** The server describes its tools so now. What was never seen is taken as it is and kept; what differs from what was
   *  agreed on is told, and stays as it was until somebody agrees. */
  compare(server: string, found: readonly ToolDefinition[]): Promise<readonly ToolChange[]>;
  /** What the tool would do differently now; undefined: it is as agreed. */
  changeOf(server: string, tool: string): ToolChange | undefined;
}

/** A tool that is not what was agreed on. */
export type ToolChange = {
  readonly server: string;
  readonly tool: string;
  readonly agreed: ToolDefinition;
  /** null: the server has it no more. */
  readonly found: ToolDefinition | null;
  /** The gravest of what has changed; `server`: another program or address stands behind it. */
  readonly kind: "description" | "additive" | "narrowing" | "new_required" | "server" | "gone";
  /** For people, one sentence or line of a diff each. */
  readonly lines: readonly string[];
};

export type ServerHealth = {
  readonly key: string;
  /** `idle`: not needed yet, or not any more. */
  readonly status: "idle" | "starting" | "ready" | "waiting" | "refused" | "disabled";
  /** Why it is refused or waits, with the last words of a program that has ended. */
  readonly problem: string | null;
  readonly era: Era | null;
  /** The revision of the protocol that both have agreed on. */
  readonly protocol: string | null;
  /** How long its newest answer took, but for calls; null: there was none. */
  readonly latencyMs: number | null;
  /** The end of what its program writes on its standard error. */
  readonly lastWords: string | null;
  readonly name: string | null;
  readonly version: string | null;
  readonly toolCount: number;
  readonly restarts: number;
  readonly callsUnderWay: number;
  /** Lines on standard output that were no messages. */
  readonly strayLines: number;
};
