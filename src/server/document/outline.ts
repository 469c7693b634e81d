// A run at a glance: what its page shows first.

import type { Outlook, RunOutline } from "../../engine/run-reads.ts";
import { own } from "../../flow/json.ts";
import { hasBegun, hasEnded, type RunRow } from "../../run/model.ts";
import type { InboxItemDocument } from "../contract/inbox.ts";
import type {
  BriefRunDocument,
  CanDocument,
  GraphDocument,
  ItemCountsDocument,
  OutlineDocument,
  TransitionDocument,
} from "../contract/outline.ts";
import { orOmitted } from "./omitted.ts";
import { toRunDocument } from "./run.ts";
import { toOutlineStep } from "./step.ts";

export type OutlineParts = {
  readonly graph: GraphDocument | null;
  readonly waiting: readonly InboxItemDocument[];
  /** What whoever asks may do: `read`, `cancel.own`. */
  readonly rights: readonly string[];
  readonly user: string;
};

export function toOutlineDocument(
  outline: RunOutline,
  { graph, waiting, rights, user }: OutlineParts,
): OutlineDocument {
  const { stored, steps, isComplete, progress, children, parent, version, plan, outlook } = outline;
  const { run } = stored;
  const may = (right: string): boolean =>
    rights.includes(right) || (rights.includes(`${right}.own`) && run.createdBy === user);
  return {
    run: toBriefRun(stored),
    version: version === null ? null : { name: run.name, version },
    steps: steps.map((brief) => toOutlineStep(run.id, brief, plan)),
    is_complete: isComplete,
    items: toItemCounts(outline),
    progress: Object.fromEntries([...progress].map(([step, told]) => [String(step), told])),
    children: children.map(({ id, uid, name, status, row }) => ({ id, uid, name, status, step_id: row })),
    parent,
    graph,
    waiting,
    ...toState(outline),
    can: toCan(run, may, outlook),
  };
}

function toBriefRun(stored: RunOutline["stored"]): BriefRunDocument {
  const document = toRunDocument(stored);
  const { input, output, error, data, attention } = document;
  return {
    ...document,
    attention: attention === null ? null : { ...attention, value: orOmitted(attention.value) },
    input: orOmitted(input),
    output: orOmitted(output),
    error: orOmitted(error),
    data: orOmitted(data),
  };
}

/** An each knows how many items it has before all of them have begun. */
function toItemCounts({ items, steps }: RunOutline): { readonly [each: string]: ItemCountsDocument } {
  const expected = new Map(steps.map(({ row }) => [row.id, row.open?.kind === "each" ? row.open.count : 0]));
  return Object.fromEntries(
    [...items].map(([each, statuses]) => {
      const begun = Object.values(statuses).reduce((sum, count) => sum + count, 0);
      return [String(each), { count: Math.max(begun, expected.get(each) ?? 0), statuses }];
    }),
  );
}

/** Of a machine: the state in which it is, and what leads out of it. */
function toState({ stored, waits, plan, outlook }: RunOutline): Pick<OutlineDocument, "state" | "transitions"> {
  const none = { state: null, transitions: [] };
  if (stored.run.data === null || plan === null || !hasBegun(stored.run)) return none;
  for (const { row } of waits) {
    const step = own(plan.steps, row.step);
    if (step?.kind !== "state") continue;
    const transitions = step.transitions.map(({ name, to, requiresReason, afterMs }): TransitionDocument => {
      const isOpen = outlook.transitions.includes(name);
      return {
        name,
        to,
        requires_reason: requiresReason,
        is_open: isOpen,
        is_timed: afterMs !== null,
        step_id: row.id,
      };
    });
    return { state: row.name, transitions };
  }
  return none;
}

function toCan(run: RunRow, may: (right: string) => boolean, outlook: Outlook): CanDocument {
  const isLive = !hasEnded(run);
  const isHeld = run.status === "paused" || run.attention?.row === null;
  // A new run takes over what the earlier one has found.
  const again = !isLive && may("start") && may("read");
  return {
    cancel: outlook.isCancellable && may("cancel"),
    cancel_refused: may("cancel") ? outlook.cancelRefused : "You may not cancel runs.",
    pause: isLive && run.status !== "paused" && run.status !== "scheduled" && may("operate"),
    resume: isLive && isHeld && may("operate"),
    retry: again && run.status !== "completed",
    rerun: again,
    fork: again,
    signal: isLive && may("signal"),
    fire: isLive && run.data !== null && may("answer"),
    answer: isLive && may("answer"),
    operate: isLive && may("operate"),
    remove: !isLive && run.parent === null && may("admin"),
    rate: may("answer"),
  };
}
