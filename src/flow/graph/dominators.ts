// Which steps every path from the start must have passed. Used to answer "has x surely run before s?" in constant time,
// so that a thousand references in a thousand steps cost no thousand walks.

import { successors, type Graph } from "./graph.ts";
import { immediateDominators } from "./immediate.ts";

export type Dominators = {
  /** Every path from the start to `index` passes `by`; a step dominates itself. Nothing dominates an unreachable step. */
  dominates(by: number, index: number): boolean;
};

export function findDominators(graph: Graph): Dominators {
  const immediate = immediateDominators(graph.start, (index) => successors(graph, index));
  const spans = nest(graph.start, immediate);
  return {
    dominates(by, index) {
      const outer = spans.get(by);
      const inner = spans.get(index);
      return outer !== undefined && inner !== undefined && outer.from <= inner.from && inner.to <= outer.to;
    },
  };
}

type Span = { readonly from: number; to: number };

/** The dominator tree as nested spans: a dominates b exactly when b's span lies within a's. */
function nest(start: number, immediate: ReadonlyMap<number, number>): ReadonlyMap<number, Span> {
  const children = new Map<number, number[]>();
  for (const [index, parent] of immediate) childrenOf(children, parent).push(index);
  const spans = new Map<number, Span>([[start, { from: 0, to: 0 }]]);
  let clock = 0;
  const stack = [{ index: start, next: children.get(start) ?? [], at: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = top.next[top.at++];
    if (child === undefined) {
      const span = spans.get(top.index);
      if (span !== undefined) span.to = clock;
      stack.pop();
    } else {
      spans.set(child, { from: ++clock, to: 0 });
      stack.push({ index: child, next: children.get(child) ?? [], at: 0 });
    }
  }
  return spans;
}

function childrenOf(children: Map<number, number[]>, parent: number): number[] {
  const list = children.get(parent) ?? [];
  children.set(parent, list);
  return list;
}
