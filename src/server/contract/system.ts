// What the service says about itself, and what the demo can do there.

export type SystemDocument = {
  readonly version: string;
  readonly pid: number;
  readonly host: string;
  readonly started_at: number;
  readonly status: "ok" | "degraded";
  /** What keeps it from its work. */
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly store: {
    readonly kind: "sqlite" | "postgres" | "memory";
    /** Without a password. */
    readonly place: string;
    readonly bytes: number;
    readonly wal_bytes: number | null;
  };
  readonly durability: string;
  /** This process does the work. */
  readonly is_owner: boolean;
  /** Who wrote last as the owner. */
  readonly owner: OwnerDocument | null;
  /** Those that have not ended. */
  readonly runs: { readonly running: number; readonly scheduled: number; readonly paused: number };
  /** Steps that wait to be called; null: another process knows. */
  readonly ready: { readonly count: number; readonly oldest_at: number | null } | null;
  readonly running_calls: number | null;
  readonly calls_max: number | null;
  /** What a commit takes of late, in milliseconds; null: there was none, or another process knows. */
  readonly commit_ms: number | null;
  /** Steps that have ended, by spans of time, oldest first; the last span is not over. null: another process knows. */
  readonly steps_ended: {
    readonly every_ms: number;
    readonly since: number;
    readonly counts: readonly number[];
  } | null;
  /** Those who follow runs. */
  readonly streams: number;
  readonly memory_bytes: number;
  /** What is kept of ended runs, of each all where it is null; null: another process knows. */
  readonly retention: {
    readonly age_ms: number | null;
    readonly runs_max: number | null;
    readonly bytes_max: number | null;
  } | null;
  /** The plug can be pulled: `POST /api/demo/crash`. */
  readonly can_crash: boolean;
};

type OwnerDocument = {
  readonly pid: number;
  readonly host: string;
  readonly role: string;
  readonly since: number;
  readonly address: string | null;
};

export type DemoDocument = {
  readonly can_crash: boolean;
  /** A run of the demo has come to its end though its process was killed. */
  readonly has_survived: boolean;
  readonly demos: readonly string[];
};

export type CleanedDemosDocument = { readonly removed: readonly string[]; readonly kept: readonly string[] };

export type CrashDocument = { readonly run: { readonly id: number; readonly uid: string } };

/** Which instant was understood. */
export type TimePreviewDocument = {
  readonly at: number;
  readonly tz: string;
  readonly text: string;
  readonly in_ms: number;
};
