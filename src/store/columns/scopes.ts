// Which visit of a step is the newest, seen from where in the forks: the kernel keeps it while it works, and here it is
// found again from what the rows of a run add up to. A branch whose fork has closed has handed what it saw to the scope
// around it; a path beside the flow that is over has taken it along.

import type { StepKey } from "../../flow/plan.ts";
import type { Row, RowId, RowRole, ScopePath, Visit } from "../../run/model.ts";

/** Rows of one role, scope and step, and the newest that has finished of them. */
export type Group = {
  readonly role: RowRole;
  readonly scope: ScopePath;
  readonly step: StepKey;
  readonly is_cancelled: number;
  readonly rows: number;
  readonly live: number;
  readonly finished_no: number | null;
  readonly id: RowId;
};

type Scopes = Map<ScopePath, Map<StepKey, Visit>>;

/** `joined`: of a run that is ending, the forks that have gone on to their joins. Those that were given up with it
 *  stay open, so that clean-up and compensation see what the branches saw. */
export function gatherScopes(
  groups: readonly Group[],
  live: ReadonlyMap<RowId, Row>,
  joined: ReadonlySet<RowId> | null,
): Scopes {
  const scopes: Scopes = new Map();
  const effective = createNarrowing(live, joined);
  for (const { role, scope, step, is_cancelled, finished_no, id } of groups) {
    // A call that was cut off has a number, by which it is undone, and is no visit.
    if (role !== "step" || is_cancelled === 1 || finished_no === null) continue;
    const path = effective(scope);
    if (path === undefined) continue;
    const steps = scopes.get(path) ?? new Map<StepKey, Visit>();
    scopes.set(path, steps);
    const known = steps.get(step);
    if (known === undefined || known.finishedNo < finished_no) steps.set(step, { row: id, finishedNo: finished_no });
  }
  return scopes;
}

/** Where what was seen in a scope belongs by now; undefined: nowhere. */
function createNarrowing(
  live: ReadonlyMap<RowId, Row>,
  joined: ReadonlySet<RowId> | null,
): (scope: ScopePath) => ScopePath | undefined {
  // Paths beside the flow that somebody is still on; a probe or a notice may outlive its path.
  const inhabited = new Set<ScopePath>();
  for (const { role, scope } of live.values()) {
    if (role !== "step" && role !== "item") continue;
    for (let path = scope; path !== "" && !inhabited.has(path); path = outer(path)) inhabited.add(path);
  }
  const isOpen = (path: ScopePath): boolean => {
    const fork = forkIn(path);
    if (fork === undefined) return inhabited.has(path);
    return joined === null ? live.get(fork)?.open?.kind === "fork" : !joined.has(fork);
  };
  return (scope) => {
    let effective = scope;
    for (let path = scope; path !== ""; path = outer(path)) {
      if (isOpen(path)) continue;
      if (forkIn(path) === undefined) return undefined;
      effective = outer(path);
    }
    return effective;
  };
}

function outer(path: ScopePath): ScopePath {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The fork whose branch a scope is; undefined: it is a path beside the flow. */
function forkIn(path: ScopePath): RowId | undefined {
  const [fork, branch] = path.slice(path.lastIndexOf("/") + 1).split(":");
  return branch === "side" ? undefined : Number(fork);
}
