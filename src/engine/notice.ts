// What whoever runs the engine may want to know at once, whatever run it came of. Told when it is on disk.

import type { RunId } from "../run/model.ts";

/** A tool's circuit has opened, and the tool is not called for a while; or it has closed again. */
export type Notice = {
  readonly kind: "breaker_opened" | "breaker_closed";
  readonly at: number;
  /** Whose call caused it; null: a person did. */
  readonly run: RunId | null;
  readonly tool: string;
  /** How often it has failed in a row. */
  readonly count: number;
  /** Minutes until it is tried again; null: it is closed. */
  readonly retryMinutes: number | null;
  /** Up to 200 characters of it. */
  readonly lastError: string | null;
  /** All of it in a sentence. */
  readonly message: string;
};
