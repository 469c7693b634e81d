import { expect, test } from "vitest";
import type { Box } from "./arrange.ts";
import { sampleGraph } from "./graph-sample.ts";
import { type Layout, layOut, type PlacedLink } from "./layout.ts";
import { shapeOf } from "./shape.ts";
import { drawBack } from "./path.ts";
import { slice } from "./slices.ts";

function overlaps({ nodes }: Layout): readonly string[] {
  const sorted = nodes.toSorted((one, other) => one.y - other.y);
  return sorted.flatMap((one, at) => {
    const found: string[] = [];
    for (const other of sorted.slice(at + 1)) {
      if (other.y >= one.y + one.height) break;
      if (one.x < other.x + other.width && other.x < one.x + one.width) found.push(`${one.key} ${other.key}`);
    }
    return found;
  });
}

function boxOf({ nodes }: Layout, key: string): Box {
  const found = nodes.find((node) => node.key === key);
  if (found === undefined) throw new Error(`There is no ${key}.`);
  return found;
}

function linkOf({ links }: Layout, id: string): PlacedLink {
  const found = links.find((link) => link.id === id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  return found;
}

function chain(length: number): string[] {
  return Array.from({ length: length - 1 }, (_none, at) => `s${at} > s${at + 1}`);
}

const fork = sampleGraph(["split > a", "split > b", "split > c", "a > meet", "b > meet", "c > meet", "meet > tell"]);

test("what follows stands below, and branches stand side by side", () => {
  const layout = layOut(fork);
  const [split, one, other, meet] = ["split", "a", "b", "meet"].map((key) => boxOf(layout, key));
  expect(split?.y).toBeLessThan(one?.y ?? 0);
  expect(one?.y).toBe(other?.y);
  expect(one?.y).toBeLessThan(meet?.y ?? 0);
  expect(overlaps(layout)).toEqual([]);
});

test("branches stand from left to right in the order in which they are written", () => {
  const names = Array.from({ length: 12 }, (_none, at) => `branch-${at}`);
  const wide = sampleGraph([...names.map((name) => `split > ${name}`), ...names.map((name) => `${name} > meet`)]);
  const layout = layOut(wide);
  expect(names.toSorted((one, other) => boxOf(layout, one).x - boxOf(layout, other).x)).toEqual(names);
  const small = layOut(fork);
  expect(["a", "b", "c"].map((key) => boxOf(small, key).x)).toEqual(
    ["a", "b", "c"].map((key) => boxOf(small, key).x).toSorted((one, other) => one - other),
  );
});

test("what stands on an arrow lies within the graph, also at its left edge", () => {
  const ways = ["take", "report", "withdraw"].flatMap((name) => [
    `open > working: ${name}`,
    `open > end: ${name} it now`,
  ]);
  const layout = layOut(sampleGraph(ways));
  for (const { label } of layout.links) {
    if (label === null) continue;
    expect(label.x - label.width / 2).toBeGreaterThanOrEqual(-0.01);
    expect(label.x + label.width / 2).toBeLessThanOrEqual(layout.width + 0.01);
  }
});

test("a name that is too long for one line gets another", () => {
  const layout = layOut(
    sampleGraph(["a > b"], { b: { name: "a_step_with_a_name_that_is_much_longer_than_most_of_them" } }),
  );
  expect(boxOf(layout, "b").height).toBeGreaterThan(boxOf(layout, "a").height);
});

test("no two steps overlap, whatever their kinds and labels are", () => {
  const graph = sampleGraph(
    [
      "a > b: items",
      "a > c: empty",
      "a > end: rejected",
      "a > end: expired",
      "b > d",
      "c > d",
      "a < d: size(result.items) > 3 && input.again",
      "d > e",
      "d > f",
      "b < f",
    ],
    {
      b: { isEach: true, name: "a step with a name that is longer than most" },
      d: { isJoin: true },
      e: { kind: "end", ending: "success" },
    },
  );
  const layout = layOut(graph);
  expect(overlaps(layout)).toEqual([]);
  expect(layout.nodes.filter(({ isDot }) => isDot)).toHaveLength(2);
  for (const { x, y, width, height } of layout.nodes) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(layout.width);
    expect(y + height).toBeLessThanOrEqual(layout.height);
  }
});

test("an arrow arrives above the step to which it leads", () => {
  const layout = layOut(fork);
  const { arrow } = linkOf(layout, "split > a");
  const { x, y, width } = boxOf(layout, "a");
  expect(arrow).toEqual({ x: x + width / 2, y, towards: "down" });
});

test("an arrow that leads back moves no step up, runs beside the steps and arrives at a side", () => {
  const layout = layOut(sampleGraph(["a > b", "b > c", "a < c: again"]));
  expect(boxOf(layout, "a").y).toBeLessThan(boxOf(layout, "b").y);
  expect(boxOf(layout, "b").y).toBeLessThan(boxOf(layout, "c").y);
  const { arrow, path, label } = linkOf(layout, "a < c: again");
  expect(["left", "right"]).toContain(arrow.towards);
  expect(path).toMatch(/[CQ]/);
  const b = boxOf(layout, "b");
  expect(label === null || label.x < b.x || label.x > b.x + b.width).toBe(true);
});

test("an arrow back leaves at its side, or above where another step stands in its way", () => {
  const [low, high] = [
    { x: 0, y: 200, width: 100, height: 50 },
    { x: 0, y: 0, width: 100, height: 50 },
  ];
  const lanes = [{ x: 300, top: 125, bottom: 125 }];
  const free = drawBack(low, high, lanes, () => true);
  expect(free.path).toMatch(/^M100,225Q/);
  expect(free.arrow).toEqual({ x: 100, y: 25, towards: "left" });
  const blocked = drawBack(low, high, lanes, () => false);
  expect(blocked.path).toMatch(/^M80,200C/);
  expect(blocked.arrow).toEqual({ x: 80, y: 50, towards: "up" });
});

test("a step that leads to itself is drawn with a loop beside it", () => {
  const { arrow } = linkOf(layOut(sampleGraph(["a < a: again", "a > b"])), "a < a: again");
  expect(arrow.towards).toBe("left");
});

test("the shape of a graph changes with its steps and not with anything else", () => {
  expect(shapeOf({ ...fork, title: "another" })).toBe(shapeOf(fork));
  expect(shapeOf({ ...fork, nodes: fork.nodes.slice(1) })).not.toBe(shapeOf(fork));
});

test("an arrow from or to a step that is not there is left out", () => {
  const graph = sampleGraph(["a > b"]);
  const layout = layOut({ ...graph, nodes: graph.nodes.slice(0, 1) });
  expect(layout.links).toEqual([]);
  expect(layOut({ ...graph, nodes: [], links: [] })).toEqual({ width: 0, height: 0, nodes: [], links: [] });
});

test("a long flow is laid out in pieces that fit together", () => {
  const arrows = [...chain(400), "s10 > s13: skip", "s100 < s105: again", "s200 > end: stop"];
  const layout = layOut(sampleGraph(arrows));
  expect(overlaps(layout)).toEqual([]);
  expect(layout.links).toHaveLength(arrows.length);
  const tops = Array.from({ length: 400 }, (_none, at) => boxOf(layout, `s${at}`).y);
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
});

test("pieces are cut where everything passes one step, never across an arrow", () => {
  const { nodes, links } = sampleGraph([...chain(120), "s30 > s70: far"]);
  const pieces = slice({ nodes, links });
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.flatMap((piece) => piece.links)).toHaveLength(links.length);
  expect(pieces.flatMap((piece) => piece.nodes)).toHaveLength(nodes.length + pieces.length - 1);
  for (const piece of pieces) {
    const keys = new Set(piece.nodes.map(({ key }) => key));
    for (const { from, to } of piece.links) expect([from, to].every((key) => key === null || keys.has(key))).toBe(true);
  }
  const last = pieces.at(0)?.nodes.at(-1)?.key;
  expect(last).not.toBe("s50");
});

test("a graph whose loops nobody has marked stays in one piece", () => {
  const { nodes, links } = sampleGraph([...chain(100), "s90 > s5"]);
  expect(slice({ nodes, links })).toHaveLength(1);
});
