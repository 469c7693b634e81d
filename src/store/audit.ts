// Who has changed what, when and from where.

import type { JsonObject } from "../flow/json.ts";

export type AuditRecord = {
  readonly at: number;
  readonly user: string;
  /** The token by which the user came; null: another way. */
  readonly via: string | null;
  /** Where from: `rest 10.0.0.7`, `cli`, `library`. */
  readonly source: string;
  /** `run.cancel`, `workflow.save` */
  readonly verb: string;
  /** What it was done to: the id of a run or of a step, a name. */
  readonly subject: string | null;
  readonly details: JsonObject;
};

/** `no`: in the order in which they were written. */
export type AuditEntry = AuditRecord & { readonly no: number };

export type AuditQuery = {
  readonly limitMax: number;
  /** Older than the one of this number. */
  readonly before?: number;
  readonly user?: string;
  readonly verb?: string;
  readonly subject?: string;
};

/** What may go: older than an instant, or more than are kept; so many at a time. */
export type AuditPruning = { readonly before: number; readonly keepMax: number; readonly rowsMax: number };
