// Places at which the crash harness kills this process: `STEPWELL_CRASH=after-commit:3` ends it, as `kill -9` would, the
// third time it comes by there. Without the variable a point costs one look at a constant. It knows no other module, so
// that the thread that writes may have its points as well; each thread counts its own.

export type CrashPoint =
  /** The batch is decided, and not handed to the store yet. */
  | "before-commit"
  /** In the thread that writes: all is written, nothing is committed. */
  | "in-transaction"
  /** In the thread that writes: on disk, and nobody knows yet. */
  | "after-commit"
  /** The executor knows that the batch is on disk; nobody is called or answered yet. */
  | "after-commit-before-act"
  /** Calls were made. */
  | "after-dispatch"
  /** A call has answered; its answer is not in the mailbox yet. */
  | "before-settle"
  /** The file is ours; what was cut off is being found. */
  | "in-recovery"
  /** All is written; the lock is still held. */
  | "before-release"
  /** A store is being moved: some rows are written, none of them counts yet. */
  | "in-copy"
  /** All rows were compared. */
  | "after-compare"
  /** The new store counts; the old one is not marked yet. */
  | "after-copy";

const asked = /^([a-z-]+):(\d+)$/.exec(process.env["STEPWELL_CRASH"] ?? "");
const askedName = asked?.[1];
let hitsLeft = Number(asked?.[2] ?? 0);

export function crashPoint(name: CrashPoint): void {
  if (askedName === undefined) return;
  if (name !== askedName) return;
  hitsLeft -= 1;
  if (hitsLeft === 0) process.kill(process.pid, "SIGKILL");
}
