import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { findDominators } from "./dominators.ts";
import type { Graph } from "./graph.ts";
import { walk, withArcs } from "./graph.ts";
import { components, loops, postorder } from "./order.ts";

/** A graph of bare arrows; the analyses under test read nothing else. */
function graphOf(size: number, arrows: readonly (readonly [number, number])[]): Graph {
  const empty: Graph = {
    steps: [],
    indexOf: new Map(),
    start: 0,
    out: Array.from({ length: size }, () => []),
    into: Array.from({ length: size }, () => []),
  };
  const edge = { kind: "next", from: "", to: "", label: "", isFailure: false, pointer: "" } as const;
  return withArcs(
    empty,
    arrows.map(([from, to]) => ({ from, to, edge })),
  );
}

const arrows = (size: number): fc.Arbitrary<[number, number][]> =>
  fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 });

function reached(graph: Graph, without: number): Set<number> {
  const next = (index: number): number[] =>
    (graph.out[index] ?? []).map((arc) => arc.to).filter((to) => to !== without);
  return without === graph.start ? new Set() : walk([graph.start], next);
}

describe("dominators", () => {
  test("a step dominates another exactly when removing it cuts the other off from the start", () => {
    fc.assert(
      fc.property(arrows(10), (list) => {
        const graph = graphOf(10, list);
        const dominators = findDominators(graph);
        const reachable = reached(graph, -1);
        for (const index of reachable) {
          for (const by of reachable) {
            expect(dominators.dominates(by, index)).toBe(by === index || !reached(graph, by).has(index));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("nothing dominates a step that cannot be reached", () => {
    const dominators = findDominators(graphOf(3, [[0, 1]]));
    expect(dominators.dominates(0, 2)).toBe(false);
    expect(dominators.dominates(2, 0)).toBe(false);
  });
});

describe("components", () => {
  test("two steps share a component exactly when each leads to the other", () => {
    fc.assert(
      fc.property(arrows(8), (list) => {
        const graph = graphOf(8, list);
        const next = (index: number): number[] => (graph.out[index] ?? []).map((arc) => arc.to);
        const found = components([...graph.out.keys()], next);
        expect(found.flat().toSorted((one, other) => one - other)).toEqual([...graph.out.keys()]);
        for (const component of found) {
          const [first = 0] = component;
          const mutual = [...walk([first], next)].filter((to) => walk([to], next).has(first));
          expect(component.toSorted((one, other) => one - other)).toEqual(mutual.toSorted((one, other) => one - other));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a loop is a component of several steps, or a step that leads to itself", () => {
    const graph = graphOf(5, [
      [0, 1],
      [1, 2],
      [2, 1],
      [3, 3],
      [3, 4],
    ]);
    const next = (index: number): number[] => (graph.out[index] ?? []).map((arc) => arc.to);
    expect(loops([0, 1, 2, 3, 4], next).map((loop) => loop.toSorted((one, other) => one - other))).toEqual([
      [1, 2],
      [3],
    ]);
  });
});

test("the postorder of a flow without loops leaves a step only after all it leads to", () => {
  const graph = graphOf(4, [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
  ]);
  expect(postorder(graph)).toEqual([3, 1, 2, 0]);
});

test("a chain of a hundred thousand steps needs no deep stack", () => {
  const size = 100_000;
  const graph = graphOf(
    size,
    Array.from({ length: size - 1 }, (_, index) => [index, index + 1] as const),
  );
  expect(postorder(graph)).toHaveLength(size);
  expect(components([0], (index) => (index + 1 < size ? [index + 1] : []))).toHaveLength(size);
  expect(findDominators(graph).dominates(1, size - 1)).toBe(true);
});
