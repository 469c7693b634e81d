// Depth-first orders and strongly connected components, both without recursion.

import { walkDepthFirst } from "./depth-first.ts";
import { arcsFrom, type Graph } from "./graph.ts";

/** Steps in the order in which a depth-first walk from the start leaves them: a step after all it leads to, loops aside. */
export function postorder(graph: Graph): readonly number[] {
  return walkDepthFirst([graph.start], (index) => arcsFrom(graph, index)).order;
}

/** The loops among `nodes`: strongly connected components of more than one step, or of one that leads to itself. */
export function loops(
  nodes: readonly number[],
  next: (index: number) => readonly number[],
): readonly (readonly number[])[] {
  return components(nodes, next).filter(
    (component) => component.length > 1 || component.some((index) => next(index).includes(index)),
  );
}

type Frame = { readonly index: number; readonly next: readonly number[]; at: number };

/** Tarjan's algorithm with an explicit stack; a component comes after all components it leads to. */
export function components(
  nodes: readonly number[],
  next: (index: number) => readonly number[],
): readonly (readonly number[])[] {
  const found: number[][] = [];
  const number = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const enter = (index: number): Frame => {
    number.set(index, number.size);
    low.set(index, number.size - 1);
    open.push(index);
    isOpen.add(index);
    return { index, next: next(index), at: 0 };
  };
  const lower = (index: number, to: number | undefined): void => {
    low.set(index, Math.min(low.get(index) ?? 0, to ?? 0));
  };
  for (const root of nodes) {
    const stack: Frame[] = number.has(root) ? [] : [enter(root)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = top.next[top.at++];
      if (to === undefined) {
        stack.pop();
        const parent = stack.at(-1);
        if (parent !== undefined) lower(parent.index, low.get(top.index));
        if (low.get(top.index) === number.get(top.index)) found.push(closeComponent(open, isOpen, top.index));
      } else if (!number.has(to)) {
        stack.push(enter(to));
      } else if (isOpen.has(to)) {
        lower(top.index, number.get(to));
      }
    }
  }
  return found;
}

function closeComponent(open: number[], isOpen: Set<number>, root: number): number[] {
  const component = open.splice(open.lastIndexOf(root));
  for (const index of component) isOpen.delete(index);
  return component;
}
