// What lies in the mailbox: a message of the kernel, and who waits for the answer. It is kept until its batch is on disk,
// so that it can be decided again.

import type { Json } from "../flow/json.ts";
import type { Plan } from "../flow/plan.ts";
import type { Reply } from "../run/decision.ts";
import type { Message } from "../run/message.ts";
import type { RunId } from "../run/model.ts";
import type { AuditRecord } from "../store/audit.ts";
import type { FlowRecord, InboxId } from "../store/store.ts";

export type Envelope = {
  readonly run: RunId;
  readonly message: Message;
  /** It is refused unless the run has this version on disk. */
  readonly expectedVersion?: number;
  /** Of a run that is to be made. */
  readonly birth: Birth | null;
  /** Called once what follows from the message is on disk. */
  readonly settle: ((reply: Reply) => void) | null;
  /** The guest's message that this is; its answer is written in the same transaction. */
  readonly inbox: InboxId | null;
  /** What is on record of it, if it changes something: who asked for it, and from where. */
  readonly audit: AuditRecord | null;
  /** About what it weighs in the mailbox. */
  readonly bytes: number;
};

export type Birth = {
  readonly plan: Plan;
  readonly flow: FlowRecord;
  readonly startKey: string | null;
  /** It was promised already: it waits for room. */
  readonly isAccepted?: true;
};

/** Without anybody who waits: of tools, alarms and the engine itself. */
export function createEnvelope(run: RunId, message: Message): Envelope {
  return { run, message, birth: null, settle: null, inbox: null, audit: null, bytes: 256 };
}

/** About what a value adds to the weight of its message. */
export function weigh(value: Json): number {
  return JSON.stringify(value).length;
}

export function refusal(code: string, message: string): Reply {
  return { kind: "refused", code, message };
}

/** Nothing of it is on disk, and whoever wants it need not wait until there is room; true: it was one, and is told. */
export function refuseStart({ birth, settle }: Envelope): boolean {
  if (birth === null || birth.isAccepted || settle === null) return false;
  settle(refusal("store_full", "There is no room left; nothing was started."));
  return true;
}
