// Servers that bring tools, as the engine sees them: connected to while this process owns the store, and held to what
// somebody has agreed to about their tools.

import type { StepwellError } from "../error.ts";
import type { Json, JsonObject } from "../flow/json.ts";

export interface ToolServers {
  /** This process owns the store now. Resolves when the tools are there that can be had at once; a server that cannot be
   *  reached is told of and keeps nobody from working. */
  open(means: ServerMeans): Promise<void>;
  /** It owns it no more. What was started ends. */
  close(): Promise<void>;
  list(): readonly ServerView[];
  /** Connects anew; throws when there is no such server. */
  restart(key: string): Promise<ServerView>;
  /** Connects if that has not been done, and asks which tools there are now. */
  test(key: string): Promise<ServerView>;
  /** Writes it down, as it was given, and takes it up at once. Throws when it cannot be one, or its key is taken. */
  add(key: string, settings: JsonObject): Promise<ServerView>;
  /** One that was added so: what was started ends, its tools go, and with them what was agreed on about them. */
  remove(key: string): Promise<void>;
  /** Starts it or connects, asks for its tools and ends it again; nothing of it is kept. */
  tryOut(key: string, settings: JsonObject): Promise<TriedServer>;
  /** What is agreed on. */
  readonly lock: LockView;
  /** Tools that are not what was agreed on. */
  readonly changes: readonly ChangedTool[];
  /** `server.tool`, or a whole server: as it is now, it is agreed on, and steps that wait go on. Those that had changed. */
  approve(name: string, options?: ApproveOptions): Promise<readonly ChangedTool[]>;
}

export type ApproveOptions = {
  /** `hash` of the change that somebody was shown: if the tool is something else by now, nothing is agreed on. null: they
   *  were shown that nothing has changed. Without it, whatever there is now is agreed on. */
  readonly expected?: string | null | undefined;
};

export type ServerMeans = {
  /** undefined: there is none of this name. */
  readonly findSecret: (name: string) => string | undefined;
  /** Hides what secrets there are in the store. */
  readonly mask: (text: string) => string;
  readonly problem: (error: StepwellError) => void;
  /** These tools are what was agreed on, again or as before: steps that wait for them may go on. */
  readonly onAgreed: (tools: readonly string[]) => void;
  readonly notes: ServerNotes;
};

/** What is kept of servers for the next process, with the store. */
export interface ServerNotes {
  find(key: string): Json | undefined;
  list(): readonly { readonly key: string; readonly value: Json; readonly updatedAt: number }[];
  /** Known at once, and on disk soon after; null: it goes. */
  put(key: string, value: Json | null): void;
}

export type ServerView = {
  readonly key: string;
  readonly status: "idle" | "starting" | "ready" | "waiting" | "refused" | "disabled";
  /** Why it is refused or waits. */
  readonly problem: string | null;
  /** A program, or an address; null: it cannot be made out of what is written. */
  readonly transport: "stdio" | "http" | null;
  /** Its program or address, without secrets. */
  readonly target: string;
  /** The same as people know it, with the paths of files; what may be a secret is left out. Null: it cannot be made out of
   *  what is written, or who asks may not see it. */
  readonly command: string | null;
  /** Where it is written; null: the program itself has said it. */
  readonly file: string | null;
  /** It was added through this program, and can be removed so. */
  readonly isAdded: boolean;
  readonly era: "legacy" | "modern" | null;
  /** The revision of the protocol that both have agreed on. */
  readonly protocol: string | null;
  /** How long its newest answer took, but for calls, which take as long as their work; null: there was none. */
  readonly latencyMs: number | null;
  /** The end of what its program writes on its standard error, 2048 characters at most, without secrets; null: nothing,
   *  or who asks may not see it. */
  readonly lastWords: string | null;
  /** As it calls itself. */
  readonly name: string | null;
  readonly version: string | null;
  readonly toolCount: number;
  readonly changedCount: number;
  readonly restarts: number;
  readonly callsUnderWay: number;
  readonly strayLines: number;
};

/** What somebody found who only wanted to know whether it works. */
export type TriedServer = {
  readonly ok: boolean;
  /** Why it does not; with the last words of a program that has ended. */
  readonly problem: string | null;
  /** Its program or address, without secrets. */
  readonly target: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly tools: readonly { readonly name: string; readonly description: string | null }[];
};

export type LockView = {
  /** null: it is in memory only. */
  readonly file: string | null;
  readonly servers: readonly {
    readonly key: string;
    readonly target: string;
    readonly tools: readonly { readonly name: string; readonly sha256: string }[];
  }[];
};

export type ChangedTool = {
  readonly server: string;
  /** As steps call it. */
  readonly tool: string;
  readonly kind: "description" | "additive" | "narrowing" | "new_required" | "server" | "gone";
  /** For people, one sentence or line of a diff each. */
  readonly lines: readonly string[];
  /** Of the tool as it is now, and of what stands behind it: whoever agrees says by it what they have seen. */
  readonly hash: string;
  /** When it was found. */
  readonly since: number;
};
